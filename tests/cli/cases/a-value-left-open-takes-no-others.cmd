# A logger that was killed within a line, and went on behind it: that line is lost, and none that follow.
python3 - << 'END'
import json
def record(k): return {"timestamp": "2026-01-01T00:%02d:%02dZ" % (k // 60, k % 60), "power_w": 100 + k % 2 * 10}
def write(name, whole, left_open, at=50):
    open(name, "w").write("".join(left_open if k == at else whole(record(k)) + "\n" for k in range(90)))
line, indented = json.dumps, lambda r: json.dumps(r, indent=2)
write("text.jsonl", line, '{"timestamp": "2026-\n')
write("value.jsonl", line, '{"timestamp":\n')
write("brace.jsonl", line, '{"timestamp": "2026-01-01T00:00:50Z", "power_w": 100\n')
write("joined.jsonl", line, '{"timestamp": "2026-' + line(record(50)) + "\n")
write("several.jsonl", line, '{"timestamp":\n{"a"\n{"timestamp": "2026\n')
write("first.jsonl", line, '{"timestamp":\n', 0)
write("last-but-one.jsonl", line, '{"timestamp":\n', 88)
write("last.jsonl", line, '{"timestamp":\n', 89)
write("indented.json", indented, '{\n  "timestamp": "2026-\n')
write("lists.jsonl", lambda r: line({"time": r["timestamp"], "gpus": [{"index": 0, "power_w": r["power_w"]}, {"index": 1, "power_w": 50}]}), '{"time": "\n')
open("array.json", "w").write("[\n" + ",\n".join('{"timestamp": "' if k == 50 else line(record(k)) for k in range(90)) + "\n]\n")
# What cannot be told before the end of the file.
write("open-list.jsonl", line, '{"a": [1,\n')
open("unclosed.json", "w").write("[\n" + "".join('{"timestamp":,\n' if k == 50 else line(record(k)) + ",\n" for k in range(90)))
cards = lambda r: line({"timestamp": r["timestamp"], "card0": {"Average Graphics Package Power (W)": "%d.0" % r["power_w"]}})
write("rocm-text.json", cards, '{"card0": {"Aver\n')
write("rocm-value.json", cards, '{"card0":\n')
open("events.trace", "w").write('{"traceEvents": [\n' + ",\n".join('{"ph": "X", "na' if k == 50 else line(
    {"ph": "X", "name": "k", "ts": 1767225600000000 + k * 1000000, "dur": 900000, "pid": 1, "tid": 1}) for k in range(90)) + "\n]}\n")
# Objects that stand where they may are part of the value.
write("inner.jsonl", line, '{"list": [\n{"a": 1},\n{"b": 2}\n], "more":\n{"c": 3}\n}\n')
# Large enough for several threads.
open("large.jsonl", "w").write("".join('{"timestamp":\n' if k % 100000 == 70000 else '{"timestamp": %d.5, "power_w": %d}\n' % (1767225600 + k, 100 + k % 7) for k in range(300000)))
END
for log in *.json*; do
    echo "$log: $(gpustat gpus $log -q -f csv --rejects rejects 2>&1 | tail -n 1 | cut -d, -f 4,5,12), set aside: $(tail -n +2 rejects | cut -d, -f 2 | xargs)"
    gpustat gpus $log -q > /dev/null || gpustat power $log 2>&1 > /dev/null | grep malformed
done
for j in 1 2 5; do gpustat gpus large.jsonl -q -f csv --rejects rejects -j $j | md5sum; md5sum < rejects; done | sort | uniq -c | wc -l
gpustat events value.jsonl events.trace -q -f csv --rejects rejects | cut -d, -f 1,2; tail -n +2 rejects
