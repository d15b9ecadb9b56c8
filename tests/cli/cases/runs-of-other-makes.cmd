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

# nvitop's collector, whose process numbers GPUs its own way; Slurm's jobs as JSON, one of them not over; a counter of energy alone.
tags = [f"run/cuda:{k} (gpu:{3 - k})/{m}/{a}" for k in (0, 1) for m in ("power_usage (W)", "gpu_utilization (%)") for a in ("mean", "max")]
write("nvitop/nvitop.csv", ",".join(["run/host/cpu_percent (%)/mean", *tags, "run/timestamp"]) + "\n" + "".join(
    ",".join(map(str, [7, w, w + 9, 5, 6, w + 40, w + 60, 7, 8, t])) + "\n" for t, w in ROWS))
spans("nvitop/spans.csv")
truth("nvitop", [(t, v) for t, w in ROWS for v in (w, w + 40)], T0 + 2, T0 + 17)
def job(n, end): return {"job_id": n, "name": "load", "nodes": "n[1-2]", "partition": "p", "steps": [{"x": 1}],
                         "time": {"start": T0 + 2, "end": end, "elapsed": 15}}
write("slurm/jobs.json", json.dumps({"meta": {}, "jobs": [job(7, T0 + 17), job(8, 0)], "errors": []}, indent=1))
write("slurm/power.csv", "timestamp,hostname,power_w\n" + "".join(f"{at(t, '%FT%TZ')},n{n},{w}\n" for t, w in ROWS for n in (1, 2)))
truth("slurm", [r for r in ROWS for n in (1, 2)], T0 + 2, T0 + 17)
write("counter/e.csv", "timestamp,energy_j\n" + "".join(f"{at(t, '%FT%TZ')},{1000 + 100 * (t - T0)}\n" for t, w in ROWS))
spans("counter/spans.csv")
# Two processes that wrote into one line, and a line that is torn for good.
def mark(key, t): return ":::MLLOG " + json.dumps({"key": key, "time_ms": t * 1000, "value": None,
    "event_type": "INTERVAL_START" if key.endswith("start") else "INTERVAL_END", "metadata": {}})
write("torn/result.txt", mark("run_start", T0 + 2) + "\n0: :::MLLOG {\"key\": \"x" + mark("run_stop", T0 + 17) + "\n")
write("torn/node_1.txt", "".join(":::MLLOG " + json.dumps({"key": "power_reading", "value": w, "time_ms": t * 1000}) + "\n" for t, w in ROWS))
write("torn/broken.txt", mark("run_start", T0 + 2) + "\n:::MLLOG {\"key\": \"x\n" + mark("run_stop", T0 + 17) + "\n")

# Telegraf's lines tell of processors too; a list of GPUs that are called id; a trace's events on lines of their own; buses as GPUs.
write("telegraf/t.lp", "".join(
    f"cpu,cpu=cpu0,host=n1 usage_idle=90.5 {t}000000000\ncpu,cpu=cpu1,host=n1 usage_idle=80.5 {t}000000000\n" + "".join(
        f"nvidia_smi,host=n1,index={g},uuid=GPU-{g} power_draw={w + 40 * g},utilization_gpu=5i {t}000000000\n" for g in (0, 1)) for t, w in ROWS))
write("ids/l.jsonl", "".join(json.dumps({"time": at(t, "%FT%TZ"), "gpus": [{"id": g, "power_w": w + 40 * g} for g in (0, 1)]}) + "\n" for t, w in ROWS))
write("buses/p.csv", "timestamp,gpu_name,gpu_bus_id,power_w\n" + "".join(
    f"{at(t, '%FT%TZ')},A100,00000000:0{g}:00.0,{w + 40 * g}\n" for t, w in ROWS for g in (0, 1)))
for name in ("telegraf", "ids", "buses"): spans(name + "/spans.csv")
for name in ("telegraf", "ids", "buses"): truth(name, [(t, v) for t, w in ROWS for v in (w, w + 40)], T0 + 2, T0 + 17)
write("lines/smi.csv", smi)
write("lines/trace.jsonl", "".join(json.dumps({"ph": "X", "name": "load", "ts": (T0 + 2) * 10**6, "dur": 15 * 10**6, "tid": k}) + "\n" for k in (1, 2)))
truth("lines", ROWS, T0 + 2, T0 + 17)
# Lengths without a unit beside times in ms without one: seconds where they can be, else an error that asks.
for unit, length in (("s", 15), ("ms", 15000), ("us", 15000000)):
    write(f"unit-{unit}/smi.csv", smi)
    write(f"unit-{unit}/steps.csv", "name,start,duration\n" + "".join(f"load,{(T0 + k) * 1000},{length}\n" for k in (2, 3)))

# wandb says a process's board once more; folders of hosts with dashes; jobstats' name of a GPU.
write("wandb/events.jsonl", "".join(json.dumps({k: w + 40 * g for g in (0, 1) for k in (
    f"system.gpu.{g}.powerWatts", f"system.gpu.process.{g}.powerWatts")} | {"_timestamp": t}) + "\n" for t, w in ROWS))
write("minor/p.csv", "timestamp,minor_number,power_w\n" + "".join(f"{at(t, '%FT%TZ')},{g},{w + 40 * g}\n" for t, w in ROWS for g in (0, 1)))
for g, host in enumerate(("gpu-a", "gpu-b")):
    write(f"dashes/{host}/smi.csv", "timestamp,power_w\n" + "".join(f"{at(t, '%FT%TZ')},{w + 40 * g}\n" for t, w in ROWS))
write("sums/p.csv", "timestamp,gpu0_power_w,gpu0_max_power_w,gpu1_power_w,gpu_total_power_w\n" + "".join(
    f"{at(t, '%FT%TZ')},{w},500,{w + 40},{2 * w + 40}\n" for t, w in ROWS))
write("cpus/p.csv", "timestamp,device,power_w\n" + "".join(
    f"{at(t, '%FT%TZ')},{d},{v}\n" for t, w in ROWS for d, v in (("gpu0", w), ("gpu1", w + 40), ("cpu", 55), ("package-0", 33))))
for name in ("wandb", "minor", "sums", "cpus"): spans(name + "/spans.csv")
write("dashes/spans.csv", "event,host,start,end\n" + "".join(f"{h},{h},{at(T0 + 2, '%FT%TZ')},{at(T0 + 17, '%FT%TZ')}\n" for h in ("gpu-a", "gpu-b")))
truth("gpu-b", [(t, w + 40) for t, w in ROWS], T0 + 2, T0 + 17)
truth("wandb, minor, sums, cpus", [(t, v) for t, w in ROWS for v in (w, w + 40)], T0 + 2, T0 + 17)
P
python3 make.py
window() { gpustat events "$@" --join window --tz UTC -q -f csv | cut -d, -f 1-3,10,14; }
for run in meter omnistat flux python dcgmi trace apps; do echo "$run:"; window $run; done
window archive --by job
for run in nvitop slurm telegraf ids buses lines wandb minor sums cpus dashes; do echo "$run:"; window $run; done
gpustat events counter --join window --tz UTC -q -f csv | cut -d, -f 1-3,21
window --events torn/result.txt --samples torn/node_1.txt
window --events torn/broken.txt --samples torn/node_1.txt
window --events torn/broken.txt --samples torn/node_1.txt --rejects bad.csv; cat bad.csv
window unit-s
for unit in ms us; do window unit-$unit 2>&1; window unit-$unit --set events.duration.unit=$unit; done
gpustat map telegraf -q | grep where
gpustat map apps -q | grep '"file"'
gpustat map bare/smi.csv -q
gpustat events --events omnistat/spans.csv --samples bare/study.txt --tz UTC --join window -f csv 2>&1 | grep header
mkdir named; cp bare/smi.csv omnistat/spans.csv named
gpustat events named --tz UTC -f csv 2>&1 | grep used
