# Runs as tools and sites leave them, in forms that once were refused or misread. What is right is computed beside: "truth".
cat > make.py <<'P'
import json, os
from datetime import datetime, timezone
T0 = 1736935200  # 2025-01-15T10:00:00Z
ROWS = [(T0 + k, 100 + 10 * (k % 4) + (50 if k >= 10 else 0)) for k in range(20)]
def at(t, form): return datetime.fromtimestamp(t, timezone.utc).strftime(form)
def write(path, text, end="\n"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w", newline="").write(text.replace("\n", end))
def truth(name, rows, a, b):
    inside = [w for t, w in rows if a <= T0 + t - T0 <= b]
    print("truth", name, len(inside), sum(inside) / len(inside))
def spans(path): write(path, f"event,start,end\nload,{at(T0 + 2, '%FT%T')},{at(T0 + 17, '%FT%T')}\n")
smi = "timestamp, index, power.draw [W]\n" + "".join(f"{at(t, '%Y/%m/%d %T.000')}, 0, {w} W\n" for t, w in ROWS)

# An analyser that wrote -1 where it had no reading; an empty trace and an empty list beside it.
stamp = "%m-%d-%Y %H:%M:%S.000"
write("meter/spl.txt", "".join(
    f"Time,{at(t, stamp)},Watts,{-1 if k in (3, 12) else w}.000000,Volts,-1.000000,Amps,0.1,PF,0.3,Mark,x\n" for k, (t, w) in enumerate(ROWS)))
write("meter/mlperf_log_detail.txt", "".join(":::MLLOG " + json.dumps(
    {"key": k, "value": at(t, stamp), "time_ms": 1.5, "event_type": "POINT_IN_TIME", "metadata": {}}) + "\n"
    for k, t in (("power_begin", T0 + 2), ("power_end", T0 + 17))))
write("meter/mlperf_log_trace.json", '{"traceEvents":[\n')
truth("meter", [r for k, r in enumerate(ROWS) if k not in (3, 12)], T0 + 2, T0 + 17)

# A query_range whose first label is called card; a table of Flux whose annotations have as many fields as it.
write("omnistat/q.json", json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [
    {"metric": {"__name__": "rocm_average_socket_power_watts", "card": "0", "instance": "n1:8001"},
     "values": [[t, str(w)] for t, w in ROWS]}]}}))
spans("omnistat/spans.csv")
write("flux/q.csv", "#group,false,false,true,false,true,true\n#datatype,string,long,dateTime:RFC3339,double,string,string\n"
      "#default,_result,,,,,\n,result,table,_time,_value,_field,host\n" +
      "".join(f",,0,{at(t, '%FT%TZ')},{w},power_draw,n1\n" for t, w in ROWS), "\r\n")
spans("flux/spans.csv")
for name in ("omnistat", "flux", "python", "dcgmi", "apps"): truth(name, ROWS, T0 + 2, T0 + 17)
truth("trace", ROWS, T0 + 2.00000025, T0 + 17)

# gpustat of Python, whose output is called as the map would be; dcgmi in a loop that writes the time above each table.
write("python/gpustat.json", "".join(json.dumps({"hostname": "n1", "query_time": at(t, "%FT%T.000000"), "gpus": [
    {"index": 0, "uuid": "GPU-1", "power.draw": w, "processes": []}]}, indent=4) + "\n" for t, w in ROWS))
spans("python/spans.csv")
write("dcgmi/dcgmi.log", "".join(
    f"{at(t, '%F %T')}\n#Entity   POWER  GPUTL\nID        W\nGPU 0     {w}.000  7\n" for t, w in ROWS))
spans("dcgmi/spans.csv")

# Begins and ends in microseconds since 1970.
write("trace/trace.json", json.dumps([{"ph": p, "pid": 1, "tid": 1, "ts": t * 1e6 + 0.25, **({"name": "load"} if p == "B" else {})}
                                      for p, t in (("B", T0 + 2), ("E", T0 + 17))]))
write("trace/smi.csv", smi)

# What processes used is no GPU's.
write("apps/smi.csv", smi)
write("apps/pmon.csv", "timestamp,gpu_id,pid,sm_util,mem_util\n" + "".join(f"{at(t, '%FT%T')},0,{p},5,6\n" for t, w in ROWS for p in (1, 2)))
spans("apps/spans.csv")

# Five columns without a header that are not the study's: their names are asked for.
write("bare/smi.csv", "".join(f"{at(t, '%Y/%m/%d %T.000')}, 0, {w}.5, 40, {k}\n" for k, (t, w) in enumerate(ROWS)))
write("bare/study.txt", "".join(f"{at(t, '%Y/%m/%d %T.000')}, {k}, {w}.5, 400, 11264\n" for k, (t, w) in enumerate(ROWS)))

# Two jobs of an archive that shared a node, each with an accelerator of its own.
for j in (0, 1):
    folder = f"archive/alex/55/00{j}/{T0}"
    card = f"00000000:0{j}:00.0"
    write(folder + "/meta.json", json.dumps({"jobId": 55000 + j, "startTime": T0, "duration": 19,
                                             "resources": [{"hostname": "n1", "accelerators": [card]}]}))
    write(folder + "/data.json", json.dumps({"acc_power": {"accelerator": {"unit": {"base": "W"}, "timestep": 1, "series": [
        {"hostname": "n1", "id": card, "data": [w + 100 * j for t, w in ROWS]}]}}}))
    truth(f"job {55000 + j}", [(t, w + 100 * j) for t, w in ROWS], T0, T0 + 19)
P
python3 make.py
window() { gpustat events "$@" --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14; }
for run in meter omnistat flux python dcgmi trace apps; do echo "$run:"; window $run; done
window archive --by job
gpustat map apps -q | grep '"file"'
gpustat map bare/smi.csv -q
gpustat events --events omnistat/spans.csv --samples bare/study.txt --tz UTC --join window -f csv 2>&1 | grep header
mkdir named; cp bare/smi.csv omnistat/spans.csv named
gpustat events named --tz UTC -f csv 2>&1 | grep used
