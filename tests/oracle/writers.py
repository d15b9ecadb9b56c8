#!/usr/bin/env python3
"""Logs as scripts of strangers write them: the headers, stamps and rows of some eighty loops around nvidia-smi, NVML, rocm-smi,
dcgmi and power meters, found in public code, with readings of our own whose means are known.
    writers.py PROGRAM [NAME...]
A file counts as right when `gpustat gpus` finds its GPUs, all its samples and the mean of each of its metrics without an option.
REFUSED are those of which nobody can say more; they have to be refused with status 65."""
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

T0 = datetime.datetime(2026, 9, 12, 6, 17, 26, tzinfo=datetime.timezone.utc)
COLUMNS = {"power": "power_mean_w", "util": "gpu_util_mean_pct", "temp": "temp_mean_c"}
PU, PUT = ("power", "util"), ("power", "util", "temp")
FILES = []
REFUSED = {
    "util_log.csv": "two readings in a second, and nobody says that they are of one GPU",
    "u280_power_log.csv": "likewise",
    "memory_once.log": "the time stands before the first GPU's row alone",
    "power.log": "no times",
}


class Reading:
    """What a GPU showed at an instant, and the ways to write it."""

    def __init__(self, rng, i, gpu, dt):
        busy = i // 12 % 3 != 0
        self.i, self.gpu, self.dt = i, gpu, dt
        self.power = round((250 + 20 * gpu if busy else 60 + 5 * gpu) + rng.uniform(-8, 8), 2)
        self.util, self.mem_util = (rng.randint(90, 100), rng.randint(40, 60)) if busy else (rng.randint(0, 4), 0)
        self.mem, self.total = 20480 + rng.randint(0, 50) if busy else 1200 + rng.randint(0, 9), 81559
        self.temp, self.fan = rng.randint(60, 70) if busy else rng.randint(38, 45), rng.randint(30, 60)
        self.sm, self.cpu, self.ram = rng.choice((1410, 1395)) if busy else 345, round(rng.uniform(3, 40), 1), 9000 + i

    def at(self, form):
        return (T0 + datetime.timedelta(seconds=self.i * self.dt)).strftime(form)

    @property
    def smi(self):
        return self.at("%Y/%m/%d %H:%M:%S.%f")[:-3]

    @property
    def full(self):
        return self.at("%Y-%m-%d %H:%M:%S")

    @property
    def iso(self):
        return self.at("%Y-%m-%dT%H:%M:%S")

    @property
    def epoch(self):
        return "%.6f" % (T0.timestamp() + self.i * self.dt)


def log(name, head, row, keys, gpus=1, dt=1.0, n=60, tail=(), whole=False):
    """Describes a file: the lines above, what is written of each reading, its metrics."""
    FILES.append((name, [head] if isinstance(head, str) else head, row, keys, gpus, dt, n, tail, whole))


log("a.csv", "timestamp,gpu_index,gpu_name,gpu_utilization,memory_utilization,memory_total_mb,memory_used_mb,memory_free_mb,temperature,"
    "power_draw,gpu_clock_mhz,memory_clock_mhz", lambda r: f"{r.full},{r.gpu}, NVIDIA A100-SXM4-80GB, {r.util}, {r.mem_util}, {r.total}, "
    f"{r.mem}, {r.total - r.mem}, {r.temp}, {r.power}, {r.sm}, 1593", PUT, 2)
log("nvidia_smi.csv", "timestamp,gpu_util_percent,memory_used_mib,power_w", lambda r: f"{r.smi},{r.util},{r.mem},{r.power}", PU)
log("gpu_temp.csv", "timestamp,gpu_index,name,temp_c,fan_pct,power_w,util_pct",
    lambda r: f"{r.full},{r.gpu},Quadro P4000,{r.temp},{r.fan},{r.power},{r.util}", PUT, 2, 300)
log("thermal.csv", "timestamp,gpu_idx,temp_core_c,temp_mem_c,power_w,util_pct",
    lambda r: f"{r.full},{r.gpu},{r.temp},{r.temp + 9},{r.power},{r.util}", PUT, 2)
log("gpu_monitor.csv", "timestamp,gpu_idx,mem_used_mib,mem_total_mib,gpu_util_pct,temp_c",
    lambda r: f"{r.iso},{r.gpu},{r.mem},{r.total},{r.util},{r.temp}", ("util", "temp"), 4, 10)
log("metrics.csv", "timestamp,gpu_busy_pct,cpu_pct,disk_write_kbps,memory_mb", lambda r: f"{r.iso}-05:00,{r.util},{r.cpu},0,{r.ram}", ("util",))
log("b.log", "timestamp,gpu_util,mem_used_mb,mem_total_mb,temp_c,power_w", lambda r: f"{r.full},{r.util},{r.mem},{r.total},{r.temp},{r.power}", PUT, 1, 2)
log("gpu_metrics.csv", "timestamp,gpu_id,gpu_uuid,temp_c,gpu_util_pct,mem_util_pct,mem_used_mb,mem_total_mb,power_w,power_limit_w",
    lambda r: f"{r.smi}, {r.gpu}, GPU-{r.gpu}7f0d10-2c02-7c73-7b9f-680acd29b48{r.gpu}, {r.temp}, {r.util}, {r.mem_util}, {r.mem}, {r.total}, "
    f"{r.power}, 400.00", PUT, 2, 5)
log("system_metrics.log", "timestamp,gpu_util,gpu_memory_used,gpu_memory_total,cpu_percent,ram_used,ram_total",
    lambda r: f"{r.full},{r.util},{r.mem},{r.total},{r.cpu},{r.ram},64000", ("util",), 1, 30)
log("underscore.csv", "timestamp,gpu_util_pct,memory_used_mb,memory_total_mb,temperature_c,power_draw_w,power_limit_w",
    lambda r: f"{r.at('%Y-%m-%d_%H:%M:%S')},{r.util},{r.mem},{r.total},{r.temp},{r.power},400.00", PUT)
log("util_log.csv", "timestamp,gpu_util_pct,gpu_mem_used_MB,gpu_mem_total_MB", lambda r: f"{r.iso},{r.util},{r.mem}.4375,{r.total}.0", ("util",), 1, .5)
log("host.csv", "timestamp,gpu_util,gpu_mem_used,cpu_percent,ram_used_MB", lambda r: f"{r.full},{r.util},{r.mem},{r.cpu},{r.ram}", ("util",))
log("polled.csv", "timestamp,gpu_util,gpu_mem", lambda r: f"{r.epoch},{r.util}.0,{r.mem}.0", ("util",), 1, .1)
log("power.csv", "timestamp,gpu_watts,cpu_watts,rag_db_bytes", lambda r: f"{r.iso}.551235,{r.power},{r.cpu},1048576", ("power",), 1, 5)
log("fan.csv", "timestamp,gpu_temp,fan_rpm,pwm_value,gpu_power", lambda r: f"{r.full},{r.temp},N/A,{r.fan},{r.power}", ("temp", "power"), 1, 5)
log("gpu_utilization_debug.csv", "timestamp,gpu_index,gpu_name,utilization,mem_used,mem_total",
    lambda r: f"{r.epoch},{r.gpu},NVIDIA A100-SXM4-80GB,{r.util},{r.mem},{r.total}", ("util",), 2)
log("gpu_step_100.csv", "timestamp,gpu_util,mem_util,mem_used,mem_total,power", lambda r: f"{r.i},{r.util},{r.mem_util},{r.mem},{r.total},{r.power}", PU)
log("c.csv", "Timestamp,GPU Power (W)", lambda r: f"{r.epoch},{r.power}", ("power",), 1, .1)
log("gpu_usage.csv", "Timestamp,GPU ID,GPU Utilization", lambda r: f"{r.full},0,{r.util}", ("util",), 1, 5)
log("queue.csv", "timestamp,gpu_util,mem_used,mem_total,temperature,power,sm_clock,mem_clock",
    lambda r: f"{r.i * .5 + .003:.3f},{r.util}.0,{r.mem}.0,{r.total}.0,{r.temp}.0,{r.power},{r.sm}.0,1593.0", PUT, 1, .5)
log("d.csv", "timestamp,gpu_id,gpu_usage,memory_usage", lambda r: f"{r.full},{r.gpu},{r.util},{r.mem_util}", ("util",), 4, 2)
log("gpu_memory_log.csv", "timestamp,gpu_id,name,memory_used_MB,memory_total_MB", lambda r: f"{r.full},{r.gpu},NVIDIA A100,{r.mem}.0,{r.total}.0", (), 2, 5)
log("gpu_usage_log.csv", "Timestamp,GPU Utilization (%),Memory Utilization (%)", lambda r: f"{r.full},{r.util},{r.mem_util}", ("util",), 1, 60)
log("gpu_util.csv", "timestamp,gpu_util,mem_util,mem_used_mb", lambda r: f"{r.epoch},{r.util},{r.mem_util},{r.mem}", ("util",), 1, .05, 200)
log("e.csv", "Timestamp,GPU Utilization,Memory Usage,Power Usage (W)", lambda r: f"{r.iso}.123456,{r.util},{r.mem / r.total * 100},{r.power}", PU)
log("gpu_power_log.csv", "time,power_W,gpu_util,mem_used_bytes", lambda r: f"{r.epoch},{r.power},{r.util},{r.mem << 20}", PU, 1, .1)
log("usage_log.csv", "Time,Power(W)", lambda r: f"{r.at('%H:%M:%S')},{r.power}", ("power",), 1, 5)
log("record.csv", ["\ufeff# InputPower(W),12.000,InputVoltage(V),11.900,InputCurrent(A),1.010", "Time,Power(W),Voltage(V),Current(A)"],
    lambda r: f"{r.full},{r.power},12.01,{r.power / 12.01:.3f}", ("power",))
log("data_80pct.csv", "time,power_w,freq_mhz,temp_c", lambda r: f"{r.i + 1},{r.power},{r.sm},{r.temp}", ("power", "temp"))
log("kasa.csv", "Time,Power", lambda r: f"{r.i * 1.31 + .001:.6f},{r.power}", ("power",), 1, 1.31)
log("f.csv", "time,power_w,temp_c,util_pct,mem_used_mb,mem_total_mb", lambda r: f"{r.full},{r.power},{r.temp},{r.util},{r.mem},{r.total}", PUT, 1, 10)
log("sysfs.csv", "time,power_w,cap_w,sclk_mhz,mclk_mhz,edge_c,junction_c,mem_c,fan_rpm",
    lambda r: f"{r.at('%H:%M:%S')},{r.power},272,{r.sm},1200,{r.temp},{r.temp + 12},{r.temp + 5},1830", ("power", "temp"))
log("g.csv", "Timestamp,Power (W),Memory Used (MB),Memory Total (MB),GPU Util (%),Memory Util (%),Temp (C),Fan Speed (%),Clock SM (MHz),Clock Mem (MHz),"
    "CPU Usage (%)", lambda r: f"{r.full},{r.power},{r.mem}.0,{r.total}.0,{r.util}.0,{r.mem_util}.0,{r.temp}.0,{r.fan}.0,{r.sm}.0,1593.0,{r.cpu}", PUT)
log("power_log_1024_gpu.csv", "Timestamp,Power_Watts", lambda r: f"{183221.55123 + r.i * .1},{r.power}", ("power",), 1, .1, 200)
log("total.csv", "Timestamp,Power (W)", lambda r: f"{r.full},{r.power}", ("power",), 1, 10)
log("h.csv", "timestamp,power_w,sclk_mhz,mclk_mhz,gpu_use_pct", lambda r: f"{r.epoch},{r.power},{r.sm}.0,1593.0,{r.util}.0", PU, 1, .6)
log("i.csv", "time_s,power_W", lambda r: f"{r.i},{r.power}", ("power",))
log("power_samples.csv", "time_s,power_uw", lambda r: f"{r.i * .1:.6f},{round(r.power * 1e6)}", ("power",), 1, .1)
log("labels.csv", "time_s,power_W,I0_rms_A,I1_rms_A,label", lambda r: f"{r.i * .02:.3f},{r.power},{r.power / 230:.3f},0.010,{'idle' if r.util < 9 else 'heater'}",
    ("power",), 1, .02)
log("headers.csv", [], lambda r: ("" if r.gpu else "timestamp, index, name, utilization.gpu [%], memory.used [MiB]\n")
    + f"{r.smi}, {r.gpu}, NVIDIA A100, {r.util} %, {r.mem} MiB", ("util",), 2, 2)
log("j.csv", "timestamp, utilization.gpu [%], utilization.memory [%], memory.used [MiB]", lambda r: f"{r.smi}, {r.util}, {r.mem_util}, {r.mem}", ("util",))
log("bare.csv", [], lambda r: f"{r.smi}, {r.power:.2f}, {r.util}, {r.mem_util}, {r.sm}, 1593, {r.temp}", ("power",))
log("k.csv", "timestamp, memory.used [MiB], memory.total [MiB], utilization.gpu [%], temperature.gpu",
    lambda r: f"{r.smi}, {r.mem}, {r.total}, {r.util}, {r.temp}", ("util", "temp"), 1, .25)
log("power_vendor.csv", ["# vendor=nvidia interval=1s host=node07", "# power_limit_w=350.00,350.00"], lambda r: f"{r.epoch[:10]},gpu{r.gpu},{r.power:.2f}", ("power",), 2)
log("l.csv", "ts,gpu_util_pct,vram_used_b,vram_total_b,temp_c,power_w",
    lambda r: f"{r.iso}+08:00,{r.util},{r.mem << 20},{r.total << 20},{r.temp}.0,{r.power}", PUT)
log("power.log", [], lambda r: f"{r.power:.2f}", ("power",), 1, .1)
log("loop.csv", [], lambda r: "timestamp, temperature.gpu, power.draw [W], utilization.gpu [%], memory.used [MiB]\n"
    f"{r.smi}, {r.temp}, {r.power:.2f} W, {r.util} %, {r.mem} MiB", PUT)
log("export.csv", "timestamp,gpu_id,instance,power_draw_watts,utilization_percent,temperature_celsius,memory_used_mb,memory_total_mb",
    lambda r: f"{r.iso}.000001,GPU-{r.gpu}7f0d10,node3:9400,{r.power},{r.util}.0,{r.temp}.0,{r.mem}.0,{r.total}.0", PUT, 2, 15)
log("m.csv", "timestamp,gpu_util_pct,gpu_mem_used_mb,gpu_temp_c,gpu_power_w,ram_used_mb", lambda r: f"{r.epoch},{r.util}.0,{r.mem}.0,{r.temp}.0,{r.power},{r.ram}.31", PUT)
log("energy_log.csv", "timestamp,elapsed_s,power_w,energy_wh_cumulative", lambda r: f"{r.epoch}1,{r.i + 1:.3f},{r.power:.3f},{r.i * .05:.6f}", ("power",))
log("u280_power_log.csv", "timestamp,elapsed_s,power_W,max_power_W,12v_aux_V,12v_aux_A",
    lambda r: f"{r.full},{r.i * .5 + .213:.3f},{r.power},225.0,12.1,{r.power / 12.1:.3f}", ("power",), 1, .5)
log("board.csv", "timestamp,elapsed_s,power_w,mode,cum_energy_wh,cpu_temp_c",
    lambda r: f"{r.full},{r.i + .02},{r.power},{'RUN' if r.util > 50 else 'IDLE'},{r.i * .07:.6f},{r.temp}", ("power",))
log("hwmon.csv", "timestamp,elapsed_s,power_w,hotspot_temp_c,mem_temp_c,edge_temp_c",
    lambda r: f"{r.epoch},{r.i * .25},{r.power},{r.temp + 11}.0,{r.temp + 20}.0,{r.temp}.0", ("power", "temp"), 1, .25)
log("memgpu_log.dat", "Timestamp, GPU_ID, Total_Memory_MB, Used_Memory_MB, Free_Memory_MB", lambda r: f"{r.full}, {r.gpu}, {r.total}, {r.mem}, {r.total - r.mem}", (), 2, 5)
log("memory_once.log", "Timestamp, GPU, Utilization, Memory_Used, Memory_Total", lambda r: ("" if r.gpu else r.full + ", ") + f"{r.gpu}, {r.util}, {r.mem}, {r.total}", ("util",), 2)
log("marked.csv", "timestamp, gpu_index, utilization_gpu_pct, memory_used_mib, power_w", lambda r: f"{r.smi}, {r.gpu}, {r.util} %, {r.mem} MiB, {r.power} W"
    + ("\n# PHASE_MARKER 2026-09-12T06:22:30Z modeB_start" if r.i == 30 and r.gpu else ""), PU, 2, 10)
log("memory_log_123.csv", "timestamp, gpu_idx, utilization_gpu, memory_used_mb, memory_total_mb",
    lambda r: f"{r.smi}, {r.gpu}, {r.util} %, {r.mem} MiB, {r.total} MiB", ("util",), 4)
log("slurm-1234.out", ["--- NODE RESOURCES ---", "Hostname: gpu07", "CPU model:", "Model name:          AMD EPYC 7763 64-Core Processor", "",
                       "SLURM_MEM_PER_NODE=131072", "--- GPU MONITORING START (Interval: 30s) ---", "Timestamp, GPU_Util, Mem_Used, Mem_Total"],
    lambda r: f"{r.smi}, {r.util}, {r.mem}, {r.total}" + (f"\nEpoch {r.i // 7}: train_loss=0.{r.i}12, lr=1e-4" if r.i % 7 == 3 else ""), ("util",), 1, 30, 60,
    ["--- Decoder training finished. Killing GPU logger (PID: 4711) ---"])
log("app.log", [], lambda r: f"{r.full},{123 + r.gpu} - INFO - GPU {r.gpu}: Memory used: {r.mem} MB | GPU Utilization: {r.util} %", ("util",), 2, 5)
log("dcgm.txt", "2026-09-12 06:17:26 #Entity   GRACT        SMACT        POWER\n2026-09-12 06:17:26 ID                    ",
    lambda r: f"{r.full} GPU {r.gpu}     0.{r.util % 100:02d}0        0.912        {r.power}", ("power",), 2)
log("meter.csv", "elapsed_s,power_w,raw_response,timestamp_utc", lambda r: f"{r.i * .1:.6f},{r.power},+{r.power:.5E},{r.at('%Y-%m-%dT%H:%M:%S.%fZ')}", ("power",), 1, .1)
log("metrics.jsonl", [], lambda r: json.dumps({"timestamp": float(r.epoch), "cpu_percent": r.cpu, "gpu_percent": float(r.util), "vram_used_mib": float(r.mem),
    "vram_percent": r.mem / r.total * 100, "gpu_power_watts": r.power, "gpu_temperature_c": float(r.temp)}), PUT, 1, .5)
log("monitor.txt", "%-8s %5s %5s %6s %6s %5s %5s" % ("time", "W", "cap", "sclk", "mclk", "edge", "fan"),
    lambda r: "%-8s %5d %5d %6d %6d %5d %5d" % (r.at("%H:%M:%S"), r.power, 272, r.sm, 1200, r.temp, 1800), ("power",), whole=True)
log("compact.csv", "timestamp,power_w,util_pct", lambda r: f"{r.at('%Y%m%d_%H%M%S')},{r.power},{r.util}", PU)
log("decimal.csv", "timestamp;power_w;util_pct", lambda r: f"{r.at('%d.%m.%Y %H:%M:%S')};{str(r.power).replace('.', ',')};{r.util}", PU)
log("ns.csv", "time_ns,gpu,power_mw,util", lambda r: f"{r.epoch[:10]}{r.i:09d},{r.gpu},{round(r.power * 1000)},{r.util}", PU, 2)
log("brackets.log", [], lambda r: f"[{r.full}] GPU {r.gpu}: {r.util}%, {r.mem}MiB/{r.total}MiB, {r.temp}C, {r.power}W", PUT, 2)
log("bars.log", [], lambda r: f"{r.at('%H:%M:%S')} | GPU: {r.util}% | VRAM: {r.mem / 1024:.1f}/79.6 GB | Temp: {r.temp}°C | Power: {r.power}W", PUT)
log("dash.csv", "timestamp,gpu_util,power", lambda r: f"{r.at('%Y-%m-%d-%H:%M:%S')},{r.util},{r.power}", PU)
log("hwinfo.csv", "Date,Time,GPU Power [W],GPU Usage [%],GPU Temp [°C]", lambda r: f"{r.at('%d.%m.%Y')},{r.at('%H:%M:%S')}.123,{r.power},{r.util},{r.temp}", PUT, 1, 2)
log("dev.csv", "ts,dev,watts,sm,mem,fb", lambda r: f"{r.epoch[:14]},{r.gpu},{r.power},{r.util},{r.mem_util},{r.mem}", ("power",), 2)
log("rocm.tsv", "time\tcard\tAverage Graphics Package Power (W)\tGPU use (%)\tTemperature (Sensor edge) (C)", lambda r: f"{r.iso}\tcard{r.gpu}\t{r.power}\t{r.util}\t{r.temp}.0", PUT, 2)
log("hosts.csv", "datetime,hostname,gpu_uuid,power_draw_w,utilization_gpu,sm_clock", lambda r: f"{r.iso}Z,node0{r.gpu},GPU-{r.gpu}aaaa,{r.power} W,{r.util} %,{r.sm} MHz", PU, 2)


def check(program, folder, name, head, row, keys, gpus, dt, n, tail, whole):
    """The complaint about one file; empty: it is right."""
    rng = random.Random(name)
    readings = [Reading(rng, i, gpu, dt) for i in range(n) for gpu in range(gpus)]
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([*head, *map(row, readings), *tail]) + "\n")
    p = subprocess.run([program, "gpus", path, "-f", "json", "-q"], capture_output=True, text=True)
    if name in REFUSED:
        return "" if p.returncode == 65 else f"status {p.returncode}, expected 65: {REFUSED[name]}"
    if p.returncode != 0:
        return p.stderr.strip()
    rows = json.loads(p.stdout)["rows"]
    samples = sum(r["samples"] for r in rows)
    if len(rows) != gpus or samples != len(readings):
        return f"{len(rows)} GPUs and {samples} samples, expected {gpus} and {len(readings)}"
    for key in keys:
        mine = sum(int(getattr(r, key)) if whole else getattr(r, key) for r in readings) / len(readings)
        its = sum((r[COLUMNS[key]] or 0) * r["samples"] for r in rows) / samples
        if abs(mine - its) > 1e-5 * abs(mine):
            return f"{key}: {its}, expected {mine}"
    return ""


def main():
    program, chosen = sys.argv[1], sys.argv[2:]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for described in FILES:
            complaint = check(program, folder, *described) if not chosen or described[0] in chosen else ""
            wrong += complaint != ""
            if complaint:
                print(f"{described[0]}: {complaint}")
    sys.exit(wrong > 0)


main()
