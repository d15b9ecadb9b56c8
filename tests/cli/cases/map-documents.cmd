# Documents of JSON that are taken apart while they are read: lines, documents one after the other, one that is large.
python3 - << 'END'
import json
T = 1714564800 * 10**9
def host(name): return {"attributes": [{"key": "host.name", "value": {"stringValue": name}}]}
def metrics(k, name, values, first=True):
    points = [{"timeUnixNano": str(T + k * 10**9), "asDouble": v, "attributes": [{"key": "gpu", "value": {"intValue": str(g)}}]}
              for g, v in enumerate(values)]
    entry = {"resource": host(name), "scopeMetrics": [{"metrics": [
        {"name": "hw.power", "unit": "W", "gauge": {"dataPoints": points}}, {"name": "other", "sum": {"dataPoints": points}}]}]}
    return {"resourceMetrics": [entry if first else dict(reversed(entry.items()))]}
def spans(n, name): return {"resourceSpans": [{"resource": host(name), "scopeSpans": [{"spans": [
    {"name": "step ]}\\", "startTimeUnixNano": str(T + 10 * 10**9), "endTimeUnixNano": str(T + 50 * 10**9)}] * n}]}]}
with open("lines.json", "w") as f:
    for k in range(61):
        for h, values in ("a", (100, 150)), ("b", (300,)):
            f.write(json.dumps(metrics(k, h, values)) + "\n")
with open("pretty.json", "w") as f:
    for h in "ab":
        json.dump(spans(1, h), f, indent=1)
with open("whole.json", "w") as f:
    json.dump({"resourceSpans": [spans(1, h)["resourceSpans"][0] for h in "ab"]}, f)
json.dump(metrics(0, "a", (1,), False), open("behind.json", "w"))
with open("large.json", "w") as f:
    json.dump(spans(100000, "a"), f)
with open("torn.json", "w") as f:
    f.write(json.dumps(spans(3, "a"))[:-20])
END
gpustat map lines.json -q | grep -E "metrics|found"
for events in pretty.json whole.json; do
    gpustat events lines.json $events --join window -q -f csv 2>&1 | cut -d, -f 1-3,10,15,17
done
gpustat map behind.json 2>&1
gpustat map torn.json 2>&1
grep -qaE "__(asan|tsan)_init" "$(readlink -f "$(command -v gpustat)")" || ulimit -v 200000 # sanitizers map terabytes
gpustat map large.json -q | grep found
