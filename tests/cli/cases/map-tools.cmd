# What tools print, as their documents and people's logs show it: two GPUs of 100 and 150 W for 40 s are 10,000 J.
python3 - << 'END'
import json
from datetime import datetime, timezone
T = 1714564800  # 2024-05-01T12:00:00Z
def at(k, form): return datetime.fromtimestamp(T + k, timezone.utc).strftime(form)
def write(name, text, encoding="utf-8"): open(name, "w", encoding=encoding, newline="").write(text)
rows = [(k, g, 100 + 50 * g) for k in range(61) for g in (0, 1)]
z = "%Y-%m-%dT%H:%M:%SZ"
write("spans.csv", "name,start,stop\nrun,%s,%s\n" % (at(10, z), at(50, z)))
# dcgmi dmon: a line of units, a time in front of each line, MIG's instances, the header again.
text = ""
for k, g, p in rows:
    if k % 25 == 0 and g == 0:
        text += "%d.5 #Entity   POWER   TOTEC   GPUTL\n%d.5 ID        W       mJ      %%\n" % (T + k, T + k)
    text += "%d.5 GPU %d     %.3f   %d   90\n%d.5 GPU-I %d     N/A   N/A   N/A\n" % (T + k, g, p, p * 1000 * k, T + k, g)
write("dcgmi.txt", text)
write("dcgmi-bare.txt", "".join(line.split(" ", 1)[1] + "\n" for line in text.splitlines()))
# amd-smi metric: CSV with lists in cells, JSON as a list, in a loop, below gpu_data.
write("amd.csv", "timestamp,gpu,gfx_activity,umc_activity,vcn_activity,socket_power,throttle_status,edge,hotspot,mem\n" +
      "".join("%d,%d,90,10,\"['N/A', 'N/A']\",%d,UNTHROTTLED,N/A,50,40\n" % (T + k, g, p) for k, g, p in rows))
def amd(k, g, p):
    return {"timestamp": T + k, "gpu": g, "usage": {"gfx_activity": {"value": 90, "unit": "%"}, "mm_activity": "N/A"},
            "power": {"socket_power": {"value": p, "unit": "W"}, "gfx_voltage": "N/A"},
            "temperature": {"edge": "N/A", "hotspot": {"value": 50, "unit": "C"}}, "list": [{"x": 1}]}
write("amd-list.json", json.dumps([amd(*r) for r in rows], indent=2))
write("amd-loop.json", "".join(json.dumps([amd(*r) for r in rows if r[0] == k], indent=4) + "\n" for k in range(61)))
write("amd-data.json", "".join(json.dumps({"gpu_data": [amd(*r) for r in rows if r[0] == k]}) + "\n" for k in range(61)))
# xpu-smi dump: times of day alone.
write("xpu.csv", "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Core Temperature (Celsius Degree)\n" +
      "".join("%s.043,    %d,  N/A, %.2f,  N/A\n" % (at(k, "%H:%M:%S"), g, p) for k, g, p in rows))
# Lists of GPUs in JSON lines: somebody's own, gpustat's of Python.
write("own.jsonl", "".join(json.dumps({"time": at(k, z), "host": "h", "tags": [{"a": 1}, {"a": 2}], "gpus": [
    {"index": g, "power_w": p, "name": "x\u00e9\n"} for j, g, p in rows if j == k]}) + "\n" for k in range(61)))
write("gpustat.jsonl", "".join(json.dumps({"hostname": "h", "query_time": at(k, "%Y-%m-%dT%H:%M:%S.000000"), "gpus": [
    {"index": g, "uuid": "GPU-%d" % g, "temperature.gpu": 50, "power.draw": p} for j, g, p in rows if j == k]}) + "\n"
    for k in range(61)))
# wandb's tables: of the history, and exported from a chart.
write("wandb.csv", "_step,_timestamp,system.gpu.0.powerWatts,system.gpu.1.powerWatts,loss\n" +
      "".join("%d,%d,100,150,0.5\n" % (k, T + k) for k in range(61)))
write("chart.csv", '"Relative Time (Process)","run-a - system/gpu.0.powerWatts","run-a - system/gpu.0.powerWatts__MIN",'
      '"run-a - system/gpu.1.powerWatts"\n' + "".join("%d,100,1,150\n" % k for k in range(61)))
# Semicolons, commas for points, days first with points; UTF-16 of Windows; rocm-smi in a loop; Telegraf.
write("komma.csv", "timestamp;gpu;power_w;temp_c\n" +
      "".join("%s;%d;%d,00;50,5\n" % (at(k, "%d.%m.%Y %H:%M:%S"), g, p) for k, g, p in rows))
write("windows.csv", "timestamp, index, power.draw [W]\r\n" +
      "".join("%s.000, %d, %.2f W\r\n" % (at(k, "%Y/%m/%d %H:%M:%S"), g, p) for k, g, p in rows), "utf-16")
write("rocm.csv", "".join("device,Average Graphics Package Power (W),GPU use (%%)\ncard0,100.0,90\ncard1,150.0,80\n\n"
                          for k in range(61)))
write("telegraf.out", "".join("nvidia_smi,host=n1,index=%d,name=NVIDIA\\ A100,uuid=GPU-%d power_draw=%d,utilization_gpu=9i "
                              "%d000000000\n" % (g, g, p, T + k) for k, g, p in rows))
END
for log in dcgmi.txt amd.csv amd-list.json amd-loop.json amd-data.json own.jsonl gpustat.jsonl wandb.csv komma.csv \
    windows.csv telegraf.out; do
    echo "$log $(gpustat events $log spans.csv --tz UTC --join window -q -f csv | tail -n +2 | cut -d, -f 1-3,10,15,17)"
done
origin="--set samples.origin=2024-05-01T12:00:00Z"
for log in dcgmi-bare.txt xpu.csv chart.csv rocm.csv; do
    gpustat events --samples $log --events spans.csv --join window -q 2>&1
done
gpustat events --samples dcgmi-bare.txt --events spans.csv $origin --set samples.time.every=1s --join window -q -f csv | cut -d, -f 1-3,10,15,17
gpustat events --samples rocm.csv --events spans.csv $origin --set samples.time.every=1s --join window -q -f csv | cut -d, -f 1-3,10,15,17
gpustat events --samples xpu.csv --events spans.csv $origin --join window -q -f csv | cut -d, -f 1-3,10,15,17
gpustat events --samples chart.csv --events spans.csv $origin --join window -q -f csv | cut -d, -f 1-3,10,15,17
for log in dcgmi.txt amd-loop.json own.jsonl; do gpustat map $log -q | grep -E '"(found|gpu|metrics)"'; done
