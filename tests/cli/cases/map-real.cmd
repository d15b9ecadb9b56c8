# Forms as public repositories hold them, typed after what stands there: GPUs of 100 and 150 W for 40 s are 4,000 and 6,000 J.
exec 2>&1
python3 - << 'END'
import json
from datetime import datetime, timezone
T = 1714564800  # 2024-05-01T12:00:00Z
def at(k, form="%Y-%m-%d %H:%M:%S"): return datetime.fromtimestamp(T + k, timezone.utc).strftime(form)
def write(name, text): open(name, "w", encoding="utf-8", newline="").write(text)
rows = [(k, g, 100 + 50 * g) for k in range(61) for g in (0, 1)]
write("spans.csv", "name,start,stop\nrun,%sZ,%sZ\n" % (at(10, "%Y-%m-%dT%H:%M:%S"), at(50, "%Y-%m-%dT%H:%M:%S")))
# amd-smi monitor: units beside the values, with a column of times, and with lines of time in between.
head = "GPU  POWER  GPU_TEMP  GFX_UTIL  GFX_CLOCK\n"
write("watch.txt", " TIMESTAMP  " + head + "".join("%d    %d  %d W     42 \u00b0C      83 %%   1613 MHz\n" % (T + k, g, p) for k, g, p in rows))
write("dates.txt", "".join("%s\nAMDSMI Tool: 26.0.0 | ROCm version: 6.4\nGPU  XCP  POWER   GPU_T   GFX%%  VRAM_USAGE\n" % at(k, "%a %b %e %H:%M:%S UTC %Y") +
      "  0    0  100 W   42 \u00b0C    9 %  0.3/192.0 GB\n  1    0  150 W   42 \u00b0C    9 %  N/A\n" for k in range(61)))
write("none.txt", head + "  0  182 W     42 \u00b0C      83 %   1613 MHz\n")
# rocm-smi: a header above all dates, a die that has no reading of its own, a time beside the cards.
name = "Average Graphics Package Power (W)"
write("rocm.csv", "device,%s,GPU use (%%)\n" % name + "".join("%s\ncard0,100.0,5\ncard1,150.0,6\n" % at(k, "%a %b %e %H:%M:%S UTC %Y") for k in range(61)))
write("dies.csv", "".join("%s\ndevice,%s\ncard0,250.0\ncard1,N/A (Secondary die)\n" % (at(k, "%a %b %e %H:%M:%S UTC %Y"), name) for k in range(61)))
write("cards.json", "".join(json.dumps({"timestamp": T + k + 0.5, "card0": {name: "100.0"}, "card1": {name: "150.0"}, "system": {"Driver version": "6.7"}}) + "\n" for k in range(61)))
# A unit that is the name's; another spelling of it; a tool that writes it nowhere.
write("watts.csv", "timestamp,cpu_watts,gpu_watts\n" + "".join("%s,,250.000\n" % at(k) for k in range(61)))
write("bridge.csv", "Delta,Time,CPU_USAGE_0,GPU0_MEMORY_USED,GPU0_POWER (mWatts),GPU0_TEMPERATURE,GPU0_USAGE,GPU1_POWER (mWatts)\n" +
      "".join("1000,%d,1.5,1073741824,100000,41,3,150000\n" % (1000 * (T + k)) for k in range(61)))
write("joular.csv", "Date,CPU Utilization,Total Power,CPU Power,GPU Power\n" + "".join("%s,0.12,300,50,250\n" % at(k) for k in range(61)))
write("kepler.prom", "".join('kepler_node_gpu_watts{gpu_uuid="GPU-%d",node_name="n1"} %d %d\nkepler_node_gpu_idle_watts{gpu_uuid="GPU-%d",node_name="n1"} 17 %d\n' %
      (g, p, 1000 * (T + k), g, 1000 * (T + k)) for k, g, p in rows))
# A power without a unit beside a temperature with one is no log of temperatures.
write("power.csv", "time,gpu,power,temperature\n" + "".join("%s,%d,%d,50\n" % (at(k), g, p) for k, g, p in rows))
write("wide.csv", "timestamp,GPU0,GPU1\n" + "".join("%d.215,100,150\n" % (T + k) for k in range(61)))
write("horse.csv", "time,gpu,power.draw [hp],temperature\n" + "".join("%s,%d,%d,50\n" % (at(k), g, p) for k, g, p in rows))
# No header, and decimal commas between commas.
write("bare.csv", "".join("%d.5\n" % (100 + k % 3) for k in range(61)))
write("comma.csv", "Timestamp,Power (W)\n" + "".join("%s,100,5\n" % at(k) for k in range(61)))
# sacct with tabs, and as pandas writes it: steps are no jobs.
sacct = [("12", "train", "billing=8,gres/gpu=2", "n[01,02]"), ("12.batch", "batch", "cpu=8", "n01"), ("12.0", "python", "cpu=8", "n[01,02]")]
head = "JobID JobName AllocTRES NodeList Start End State Comment".split()
line = lambda r: list(r) + [at(10, "%Y-%m-%dT%H:%M:%S"), at(50, "%Y-%m-%dT%H:%M:%S"), "COMPLETED", 'say "a, b"']
write("tabs.tsv", "\t".join(head) + "\n" + "".join("\t".join(line(r)) + "\n" for r in sacct))
write("pandas.csv", ",".join(head) + "\n" + "".join(",".join('"%s"' % c.replace('"', '""') if "," in c else c for c in line(r)) + "\n" for r in sacct))
write("hosts.csv", "time,hostname,gpu,power_w\n" + "".join("%s,n%02d,0,%d\n" % (at(k), g + 1, p) for k, g, p in rows))
# nsys stats says which device a kernel ran on; PyTorch called its kernels "Kernel" once; pyJoules.
write("kernels.csv", "Processing [x.sqlite] with [cuda_gpu_trace.py]... \nStart (ns),Duration (ns),CorrId,GrdX,Device,Ctx,Name\n" +
      '10000000000,40000000000,1,2,NVIDIA A100 (0),1,"void k<float, int>()"\n10000000000,40000000000,2,2,NVIDIA A100 (1),1,gemm\n')
write("old.json", json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": (T + 10) * 1000000, "dur": 12},
      {"ph": "X", "cat": "Kernel", "name": "sgemm", "ts": (T + 10) * 1000000, "dur": 40000000, "args": {"device": 1}}]}, indent=1))
write("joules.csv", "timestamp;tag;duration;package_0;nvidia_gpu_0\n%d.0;fit;40.0;80122334.0;9000000\n" % (T + 10))
END
energy() { gpustat events "$@" --tz UTC --join window -q -f csv | tail -n +2 | cut -d, -f 1-3,10,15,17; }
for log in watch.txt dates.txt rocm.csv dies.csv cards.json watts.csv bridge.csv joular.csv kepler.prom; do
    echo "$log $(energy $log spans.csv)"
done
gpustat gpus bridge.csv -q -f csv | tail -n +2 | cut -d, -f 4-7,15
for log in none.txt power.csv wide.csv horse.csv bare.csv comma.csv; do
    gpustat gpus $log -q
done
gpustat power bare.csv
# What the errors say to type.
energy power.csv spans.csv --set samples.metrics.power_w.column=power --set samples.metrics.power_w.unit=W
gpustat gpus power.csv -q -f csv --set samples.ignored=power | tail -n +2 | cut -d, -f 4-7
energy wide.csv spans.csv --set 'samples.metrics.power_w.columns=GPU{gpu}' --set samples.metrics.power_w.unit=W
gpustat power bare.csv --columns power --interval 1s -q -f csv | cut -d, -f 2,5
for jobs in tabs.tsv pandas.csv; do
    energy --events $jobs --samples hosts.csv --by event,job
    gpustat map $jobs -q | grep -o '"rows.*hosts": [0-9]*'
done
energy kernels.csv bridge.csv --set events.origin=2024-05-01T12:00:00Z
energy old.json bridge.csv
energy joules.csv watts.csv
# Keys of JSON below others, a unit that is the rest of a name, lists that are no columns, events that only one column can name.
python3 - << 'END'
import json
T = 1714564800
def write(name, rows): open(name, "w").write("".join(json.dumps(r) + "\n" for r in rows))
rows = [(k, g, 100 + 50 * g) for k in range(61) for g in (0, 1)]
write("below.jsonl", [{"ts_ns": (T + k) * 10**9, "metric": "gpu.power_w", "labels": {"gpu": str(g), "host": "n1"}, "value": p} for k, g, p in rows])
write("deep.jsonl", [{"@timestamp": T + k, "nvidia": {"gpu": {"id": g, "power": {"draw": {"watts": p}}}}, "cpu": {"power": {"watts": 7}}} for k, g, p in rows])
write("inner.jsonl", [{"timestamp": T + k, "gpus": {"0": {"power_w": 100}, "1": {"power_w": 150}}} for k in range(61)])
write("steps.jsonl", [{"span": {"name": "run", "start_time": T + 10, "end_time": T + 50}}])
write("lists.jsonl", [{"t": T + k, "gpu_power": [100, 150]} for k in range(61)])
open("list.json", "w").write(json.dumps({"samples": [{"time": T, "power_w": 100}]}))
open("bare.csv", "w").write("t_s;gpu0_W;gpu1_W\n" + "".join("%d;100;150\n" % k for k in range(61)))
open("what.csv", "w").write("what,begin_s,end_s\nrun,10,50\n")
open("two.csv", "w").write("who,what,start,duration_s\nme,run,2024-05-01T12:00:10Z,40\n")
open("pmon.log", "w").write("# gpu         pid   type     sm    mem    command\n# Idx           #    C/G      %      %    name\n    0        485     C     37      4    python\n")
END
for log in below.jsonl deep.jsonl inner.jsonl; do
    echo "$log $(energy $log spans.csv) $(energy $log steps.jsonl)"
done
for log in lists.jsonl list.json pmon.log; do
    gpustat gpus $log -q
done
energy --samples bare.csv --events what.csv --set samples.origin=2024-05-01T12:00:00Z --set events.origin=2024-05-01T12:00:00Z
gpustat events watts.csv two.csv --tz UTC --join window -f csv | tail -n +2 | cut -d, -f 1-3,10,15,17
# One column per host: what the error says works. NVML's power_usage is mW here and W there. Halves of a day.
python3 - << 'END'
def write(name, head, line): open(name, "w").write(head + "\n" + "".join(line(k) + "\n" for k in range(60)))
write("hosts.csv", "timestamp,n1_watts,n2_watts,total_watts", lambda k: "2024-05-01T12:00:%02d,100,150,250" % k)
write("both.csv", "time,n1_gpu0_power_w,n2_gpu0_power_w", lambda k: "2024-05-01T12:00:%02d,100,150" % k)
write("usage.csv", "timestamp,gpu,power_usage,temperature", lambda k: "2024-05-01T12:00:%02d,0,250000,50" % k)
write("half.csv", "Date,Time,power_w", lambda k: "05/01/2024,12:00:%02d PM,250" % k)
END
gpustat gpus hosts.csv -q
energy hosts.csv spans.csv --set 'samples.metrics.power_w.columns={host}_watts' --by host
energy both.csv spans.csv --set 'samples.metrics.power_w.columns={host}_gpu{gpu}_power_w' --by host
gpustat gpus usage.csv -q
energy usage.csv spans.csv --set samples.metrics.power_w.column=power_usage --set samples.metrics.power_w.unit=mW
gpustat gpus half.csv -q
energy half.csv spans.csv --set 'samples.time.unit=MM/DD/YYYY hh:mm:ss AM'
# GPUs that only their numbers name, of hosts that no column called so names: said. Hosts that are numbers; one GPU's repeated rows.
python3 - << 'END'
def write(name, column, values, times=1):
    open(name, "w").write("timestamp,%s,gpu,power_w\n" % column + "".join("2024-05-01T12:00:%02d,%s,0,%d\n" % (k, v, 100 + 50 * i) * times
        for k in range(60) for i, v in enumerate(values)))
write("pods.csv", "pod", ["a", "b"])
write("nodes.csv", "node_id", [1, 2])
write("again.csv", "pod", ["a"], 2)
END
for log in pods.csv nodes.csv again.csv; do
    gpustat gpus $log -f csv --tz UTC 2>&1 | grep -v 'no file holds' | cut -d, -f 1,4-5
done
# MLflow's metrics as rows of keys and values: the GPU stands within the key.
python3 - << 'END'
import json
T = 1714564800
rows = [{"key": "system/%s" % key, "value": v, "timestamp": 1000 * (T + k), "step": k, "run_id": "r"} for k in range(61)
        for key, v in (("gpu_0_power_usage_watts", 100), ("gpu_1_power_usage_watts", 150), ("gpu_0_utilization_percentage", 85),
                       ("cpu_utilization_percentage", 5), ("gpu_0_power_usage_percentage", 45))]
open("mlflow.json", "w").write(json.dumps(rows))
open("mlflow.csv", "w").write("key,value,timestamp,step,run_id\n" + "".join("%(key)s,%(value)s,%(timestamp)d,%(step)d,r\n" % r for r in rows))
END
for log in mlflow.csv mlflow.json; do
    energy $log spans.csv
    gpustat gpus $log -q -f csv | tail -n +2 | cut -d, -f 4,5,7
    gpustat map $log -q | grep -o '"rows.*gpus": [0-9]*'
done
