#!/usr/bin/env python3
"""Logs as scripts of strangers write them: the headers, stamps and rows of some 170 loops around nvidia-smi, NVML, rocm-smi,
dcgmi, power meters and the exports of dashboards, found in public code, with readings of our own whose means are known.
    writers.py PROGRAM [NAME...]
A file counts as right when `gpustat gpus` finds its GPUs, all its samples and the mean of each of its metrics without an option.
REFUSED are those of which nobody can say more, TOLD those that one option makes right; both have to be refused with status 65."""
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
    "cpu_power.csv": "likewise, and of a processor",
    "memory_once.log": "the time stands before the first GPU's row alone",
    "power.log": "no times",
    "ipmi_idle.csv": "a sensor called Current, without a unit",
    "redfish_ipmi.csv": "two meters of one server",
    "rapl.csv": "a processor's power",
    "usage.csv": "rows of GPUs and of processes in turns, without names",
    "amd_all.csv": "a header of one GPU again and again",
    "nvline.log": "memory alone, without names of columns",
}
# Those that the program says how to read: refused as they are, right with these words.
TOLD = {
    "pair.txt": ["--columns", "timestamp,power"],
    "zoned.txt": ["--columns", "timestamp,power"],
    "nano.txt": ["--columns", "timestamp,power"],
    "dell.csv": ["--columns", "date,time,power"],
    "gpu_run.csv": ["--columns", "timestamp,gpu_util,memory_used"],
    "telemetry.csv": ["--columns", "timestamp,temp,power,clock,-,gpu_util,-,-"],
    "watts_all.csv": ["--set", "samples.columns=timestamp,gpu0_power_w,gpu1_power_w"],
    "shelly_log.csv": ["--set", "samples.metrics.power_w.columns=Switch_{host} - apower(watts)"],
}


class Reading:
    """What a GPU showed at an instant, and the ways to write it."""

    def __init__(self, rng, i, gpu, dt):
        busy = i // 12 % 3 != 0
        self.i, self.gpu, self.dt, self.peers = i, gpu, dt, []
        self.uuid = f"GPU-{gpu}7f0d10-2c02-7c73-7b9f-680acd29b48{gpu}"
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


def log(name, head, row, keys, gpus=1, dt=1.0, n=60, tail=(), whole=float):
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
    lambda r: "%-8s %5d %5d %6d %6d %5d %5d" % (r.at("%H:%M:%S"), r.power, 272, r.sm, 1200, r.temp, 1800), ("power",), whole=int)
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

# The second draw: what further tools and loops write, found by one query for each kind of tool.
log("vram.csv", "timestamp,gpu_id,memory.used_GB", lambda r: f"{r.smi}, {r.uuid}, {r.mem / 1024}", (), 2)
log("rocm_all.csv", "epoch,device,Temperature (Sensor edge) (C),Current Socket Graphics Package Power (W),GPU use (%),VRAM Total Memory (B),"
    "VRAM Total Used Memory (B)", lambda r: f"{r.epoch[:10]},card{r.gpu},{r.temp}.0,{r.power},{r.util},{r.total << 20},{r.mem << 20}", PUT, 2)
AMD = "gpu,socket_power,gfx_voltage,soc_voltage,mem_voltage,throttle_status,power_management,gfx_0_clk,gfx_0_min_clk,gfx_0_max_clk,edge,hotspot,mem"
amd_row = lambda r: f"{r.gpu},{r.power},N/A,N/A,N/A,UNTHROTTLED,ENABLED,{r.sm},500,2100,{r.temp},{r.temp + 8},{r.temp + 4}"
log("amd_one.csv", "Timestamp," + AMD, lambda r: f"{r.epoch[:10]},{amd_row(r)}", ("power", "temp"))
log("amd_all.csv", "Timestamp," + 2 * (AMD + ","), lambda r: None if r.gpu else r.epoch[:10] + "".join("," + amd_row(x) for x in r.peers) + ",", ("power", "temp"), 2)
log("rocm_watch.log", [], lambda r: f"=== {r.iso}Z ===\n\n\n============================ ROCm System Management Interface ============================\n"
    "=================================== % time GPU is busy ===================================\n"
    f"GPU[0]\t\t: GPU use (%): {r.util}\n==========================================================================================\n"
    f"=================================== Current Memory Use ===================================\nGPU[0]\t\t: GPU Memory Allocated (VRAM%): {r.mem_util}\n"
    f"GPU[0]\t\t: Temperature (Sensor edge) (C): {r.temp}.0\nGPU[0]\t\t: Temperature (Sensor junction) (C): {r.temp + 9}.0\n"
    f"GPU[0]\t\t: Average Graphics Package Power (W): {r.power}\n"
    "================================== End of ROCm SMI Log ===================================\n\n", PUT)
log("rocm_gpu_profile.csv", "timestamp,gpu_usage_percent,vram_used_mib,temp_celsius,power_watts", lambda r: f"{r.full},{r.util},{r.mem},{r.temp}.0,{r.power}", PUT)
log("pair.txt", [], lambda r: f"{r.epoch}789 {r.power:.2f}", ("power",), 1, 1)
log("gpuPow.csv", [], lambda r: f"{r.full}, {r.power:.2f} W", ("power",))
log("zoned.txt", [], lambda r: f"{r.at('%Y-%m-%d-%H:%M:%S')}.123-UTC {r.power:.2f}", ("power",))
log("iso_ns.csv", "timestamp,utilization.gpu,utilization.memory,memory.used,power.draw",
    lambda r: f"{r.iso},{r.at('%f')}123+00:00,{r.util}, {r.mem_util}, {r.mem}, {r.power:.2f}", PU, 1, .2)
log("temp.log", [], lambda r: f"\n\n\n{r.at('%H:%M:%S')}\npower.draw [W], utilization.gpu [%], utilization.memory [%]\n{r.power:.2f} W, {r.util} %, {r.mem_util} %", PU)
log("gpu_utilization_w1.log", [], lambda r: f"{r.full}\n{r.util} %, {r.mem_util} %, {r.power:.2f} W", ("power",))
log("nano.txt", [], lambda r: f"{r.epoch[:10]}{r.i * 7919 % 1000000000:09d} {r.power:.2f}", ("power",))
log("watts_all.csv", [], lambda r: None if r.gpu else f"{r.epoch[:10]}123," + ",".join(str(round(x.power)) for x in r.peers), ("power",), 2, whole=round)
log("tegra.log", [], lambda r: f"{r.at('%m-%d-%Y %H:%M:%S')} RAM {r.mem}/31918MB (lfb 4x4MB) SWAP 0/15959MB (cached 0MB) CPU [12%@1190,8%@1190,0%@1190,3%@1190] EMC_FREQ 0%@2133 "
    f"GR3D_FREQ {r.util}%@1300 APE 150 CPU@45.5C GPU@{r.temp}C SOC2@44.1C Tboard@36C VDD_GPU_SOC {round(r.power * 100)}mW/{round(r.power * 100)}mW VDD_CPU_CV 800mW/790mW "
    "VIN_SYS_5V0 3000mW/3010mW", ("util", "temp"))
log("gpu_power_avg.csv", "timestamp, RAM%, GPU%, GPU inst power, GPU avg power, CPU%, CPU inst power, CPU avg power, tot inst power, tot avg power",
    lambda r: f"{r.full}.123456, {r.ram}, {r.util}, {round(r.power * 100)}, 2000, {r.cpu}, 900, 880, {round(r.power * 100) + 3000}, 5000", ("util",))
log("jtop_log.csv", "time,uptime,CPU1,CPU2,RAM,SWAP,EMC,GPU,APE,NVDEC,NVJPG,NVENC,OFA,SE,VIC,Fan pwmfan0,Temp CPU,Temp CV0,Temp GPU,Temp SOC0,Temp tj,Power VDD_CPU_CV,"
    "Power VDD_GPU_SOC,Power VIN_SYS_5V0,Power TOT,jetson_clocks,nvp model", lambda r: f"{r.full}.123456,{r.i} days,3,4,0.21,0.0,0,{r.util},150,OFF,OFF,OFF,OFF,OFF,OFF,20.0,"
    f"44.5,43.0,{r.temp},44.1,45.2,800,{round(r.power * 100)},3000,{round(r.power * 100) + 3800},OFF,MAXN", ("util", "temp"))
log("shelly_log.csv", "Timestamp," + ",".join(f"Switch_{k} - Status,Switch_{k} - apower(watts),Switch_{k} - current(amps),Switch_{k} - temp(celsius°C)" for k in range(2)),
    lambda r: None if r.gpu else r.full + "".join(f",On,{x.power},{x.power / 230:.3f},{x.temp}" for x in r.peers), ("power",), 2)
log("power_log_shelly.csv", "timestamp,power", lambda r: f"{r.at('%Y%m%dT%H:%M:%S')},{r.power}", ("power",))
PLUG = lambda r: {"id": 0, "source": "init", "output": True, "apower": r.power, "voltage": 231.2, "freq": 50.0, "current": round(r.power / 230, 3),
                  "aenergy": {"total": 1000 + r.i * .07, "by_minute": [0.0, 0.0, 0.0], "minute_ts": 1789193820}, "temperature": {"tC": 37.3, "tF": 99.1}}
log("data.txt", [], lambda r: f"{r.epoch[:10]}123: {json.dumps(PLUG(r))}", ("power",))
log("plug.jsonl", [], lambda r: json.dumps({"ts": float(r.epoch), **PLUG(r)}), ("power",))
log("dell.csv", [], lambda r: f"{r.at('%Y-%m-%d,%H:%M:%S')}, {r.power:.3f}   ", ("power",), 1, 5)
log("ilo_power.csv", "timestamp,power_watt", lambda r: f"{r.epoch[:10]},{r.power}", ("power",), 1, 10)
log("ipmi_idle.csv", "Timestamp,Sensor,Value", lambda r: f"{r.full},Current,{r.power}", ("power",))
log("collected.csv", "timestamp,temperature,power1,power2,total_power", lambda r: f"{r.at('%a %b %d %H:%M:%S %Y')},{r.temp},{r.power / 2},{r.power / 2},{r.power}", ("power", "temp"))
log("matrix_power_samples.csv", "Timestamp (ns),Power Draw (W)", lambda r: f"{r.epoch[:10]}{r.i * 7919 % 1000000000:09d},{r.power}", ("power",))
log("xpu.csv", "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Core Temperature (Celsius Degree)",
    lambda r: f"{r.at('%H:%M:%S')}.123,    {r.gpu}, {r.util}.00, {r.power:.2f}, {r.temp}.00", PUT, 2)
log("wandb_events.csv", ",_runtime,_timestamp,_wandb," + ",".join(f"system.gpu.{k}.{m}" for k in range(2) for m in ("gpu", "memory", "memoryAllocated", "temp", "powerWatts", "powerPercent"))
    + ",system.cpu,system.memory", lambda r: None if r.gpu else f"{r.i},{r.i * 15 + 2.31},{r.epoch},True," + ",".join(
        f"{x.util},{x.mem_util},{x.mem / x.total * 100:.4f},{x.temp},{x.power},{x.power / 4:.4f}" for x in r.peers) + f",{r.cpu},41.2", PUT, 2, 15)
log("wandb_export_2026-09-12T08_17_26.csv", '"Relative Time (Process)","run-7 - system/gpu.0.powerWatts","run-7 - system/gpu.0.powerWatts__MIN","run-7 - system/gpu.0.powerWatts__MAX"',
    lambda r: f'"{r.i * 15 + 2.31}","{r.power}","{r.power}","{r.power}"', ("power",), 1, 15)
log("mlflow_metrics.csv", "key,value,timestamp,step", lambda r: f"system/gpu_{r.gpu}_power_usage_watts,{r.power},{r.epoch[:10]}123,{r.i}\n"
    f"system/gpu_{r.gpu}_utilization_percentage,{r.util},{r.epoch[:10]}123,{r.i}\nsystem/cpu_utilization_percentage,{r.cpu},{r.epoch[:10]}123,{r.i}", PU, 2, 10)
log("gpu_0_power_usage_watts", [], lambda r: f"{r.epoch[:10]}123 {r.power} {r.i}", ("power",), 1, 10)
log("trace2flex.csv", "timestamp,gpu,power_w,util_gpu,util_mem,mem_used_mb,mem_total_mb,temp_c",
    lambda r: f"{r.full}.123,{r.gpu},{r.power},{r.util},{r.mem_util},{r.mem},{r.total},{r.temp}", PUT, 2)
log("gpu_power_result.csv", "timestamp,gpu,power_w,power_limit_w,temp_junction_c,temp_edge_c,temp_mem_c,gfx_clock_mhz,mem_clock_mhz,gpu_util_pct,vram_used_mib,vram_total_mib",
    lambda r: f"{r.iso}Z,{r.gpu},{r.power},1000,{r.temp + 9},{r.temp},{r.temp + 4},{r.sm},1300,{r.util},{r.mem},{r.total}", PUT, 2)
log("powermetrics.csv", "timestamp,cpu_power_w,gpu_power_w,combined_power_w,e_busy_ratio,p_busy_ratio,e_freq_ghz,p_freq_ghz,battery_percent",
    lambda r: f"{r.iso}+02:00,{r.cpu},{r.power},{r.power + r.cpu:.2f},0.1200,0.3300,1.02,3.20,88", ("power",))
log("performance_log.csv", "time,scene,fps,avg_fps,frame_ms,worst_frame_ms,cpu_ms,gpu_ms,cpu_power_w,gpu_power_w,gc_alloc_frame,width,height,quality,graphics_api",
    lambda r: f"{r.i * .5 + 3.217:.3f},Main,59.9,60.1,16.6,18.1,4.2,11.9,{r.cpu},{r.power},1024,1920,1080,High,Direct3D11", ("power",), 1, .5)
log("mac.csv", "timestamp,cpu_power_w,gpu_power_w,ane_power_w,combined_power_w,sys_power_w,cpu_energy,gpu_energy,ane_energy,e_busy_ratio,p_busy_ratio,e_freq_ghz,p_freq_ghz,cpu_temp_c,"
    "gpu_temp_c,ram_total_bytes,ram_usage_bytes,swap_total_bytes,swap_usage_bytes,battery_percent", lambda r: f"{r.iso}Z,{r.cpu},{r.power},0.00,{r.power + r.cpu:.2f},"
    f"{r.power + 40:.2f},{round(r.cpu * 1000)},{round(r.power * 1000)},0,0.1,0.2,1.0,3.2,55.1,{r.temp},{64 << 30},{20 << 30},0,0,", ("power", "temp"))
log("soc.csv", "time,cpu_temp_c,gpu_temp_c,soc_temp_c,cpu_power_w,gpu_power_w,total_power_w,mem_used_gb,mem_total_gb",
    lambda r: f"{r.full},51.0,{r.temp},48.5,{r.cpu},{r.power},{r.power + r.cpu:.1f},12.4,64.0", ("power", "temp"), 1, 2)
log("container.csv", "timestamp,container_name,cpu_percent,memory_mb,cpu_power_w,gpu_power_w,gpu_util_percent", lambda r: f"{r.iso},my_container,{r.cpu},512.0,42.3,{r.power},{r.util}.0", PU)
log("macmon.csv", "timestamp,package_power_w,cpu_power_w,gpu_power_w,ane_power_w,e_core_usage_pct,p_core_usage_pct,e_core_freq_mhz,p_core_freq_mhz,gpu_usage_pct,gpu_freq_mhz,"
    "memory_used_gb,memory_total_gb,memory_pressure,battery_pct", lambda r: f"{r.iso}Z,{r.power + 30:.2f},{r.cpu},{r.power},0.0,3.1,40.2,1020,3204,{r.util},{r.sm},12.1,32.0,normal,88", PU)
log("thermal_mac.csv", "Timestamp,CPU_Temp_C,GPU_Temp_C,Fan_RPM,GPU_Activity_%,CPU_Freq_MHz,Kernel_Task_%,CPU_Speed_Limit_%,CPU_Plimit,Prochots,Thermal_Level",
    lambda r: f"{r.full},61.2,{r.temp},2100,{r.util},3200,1.2,100,0,0,0", ("util", "temp"), 1, 2)
log("wide.csv", "timestamp," + ",".join(f"gpu{k}_power_W,gpu{k}_utilization_percent,gpu{k}_mem_utilization" for k in range(4)) + ",cpu_power_W",
    lambda r: None if r.gpu else r.full + "".join(f",{x.power},{x.util},{x.mem_util}" for x in r.peers) + f",{r.cpu}", PU, 4)
log("v2.csv", "timestamp,elapsed_sec," + ",".join(f"gpu{k}_power_instant_w,gpu{k}_power_avg_w,gpu{k}_temp_c,gpu{k}_util_pct" for k in range(2)),
    lambda r: None if r.gpu else f"{r.iso}.{r.at('%f')},{r.i * .1:.3f}" + "".join(f",{x.power},{x.power - 1},{x.temp},{x.util}" for x in r.peers), ("util", "temp"), 2, .1)
log("ear.csv", "JOBID;STEPID;NODENAME;TIMESTAMP;AVG_CPUFREQ_KHZ;CPI;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W;GFLOPS;" + ";".join(
    f"GPU{k}_POWER_W;GPU{k}_FREQ_KHZ;GPU{k}_MEM_FREQ_KHZ;GPU{k}_UTIL_PERC;GPU{k}_MEM_UTIL_PERC;GPU{k}_TEMP" for k in range(2)),
    lambda r: None if r.gpu else f"4711;0;node1;{r.epoch[:10]};2400000;0.52;{900 + r.cpu};{30 + r.cpu};{200 + r.cpu};812.1" + "".join(
        f";{x.power};{x.sm}000;1593000;{x.util};{x.mem_util};{x.temp}" for x in r.peers), PUT, 2, 10)
log("gpu_run.csv", [], lambda r: f"{r.epoch[:10]},{r.util},{r.mem}", ("util",), 1, 30)
log("telemetry.csv", [], lambda r: f"{r.epoch[:10]},{r.temp},{r.power:.2f},{r.sm},1980,{r.util},0x0000000000000000,{118000000 - r.i}", PUT, 1, 5)
log("usage.csv", [], lambda r: f'"PhysicalGPU",{r.epoch},{r.gpu},{r.mem << 20},{r.total - r.mem << 20},{r.total << 20},"P0",{round(r.power * 1000)},{r.util}\n'
    f'"Process",{r.epoch},alice,python,{r.i},{r.i},{r.util},{r.mem_util}', PU, 2, 5)
log("nvitop.csv", ",".join(["resources/timestamp", "resources/duration (s)"] + [f"resources/{what}/{part}" for what in ("host/cpu_percent (%)", "gpu:0/memory_used (MiB)",
    "gpu:0/gpu_utilization (%)", "gpu:0/temperature (C)", "gpu:0/power_usage (W)") for part in ("mean", "min", "max", "last")]),
    lambda r: f"{r.epoch},{r.i}" + "".join(4 * f",{v}" for v in (r.cpu, r.mem, r.util, r.temp, r.power)), PUT)
log("gpu_log.jsonl", [], lambda r: json.dumps({"driver_version": "545.23.08", "index": r.gpu, "memory_free": r.total - r.mem, "memory_total": r.total, "memory_used": r.mem,
    "name": "NVIDIA A10G", "temperature_gpu": r.temp, "timestamp": int(r.epoch[:10])}), ("temp",), 2)
log("gpu.log", [], lambda r: json.dumps({"power": r.power, "util": float(r.util), "temp": float(r.temp), "time": r.epoch, "gpu": r.gpu}), PUT, 2)
log("gpustat.json", [], lambda r: None if r.gpu else json.dumps({"hostname": "node1", "driver_version": "535.104", "query_time": r.iso + ".123456", "gpus": [
    {"index": x.gpu, "uuid": x.uuid, "name": "NVIDIA A100", "temperature.gpu": x.temp, "fan.speed": x.fan, "utilization.gpu": x.util, "utilization.enc": 0, "utilization.dec": 0,
     "power.draw": round(x.power), "enforced.power.limit": 400, "memory.used": x.mem, "memory.total": x.total, "processes": [{"username": "alice", "command": "python",
     "gpu_memory_usage": x.mem, "pid": 4711}]} for x in r.peers]}, indent=4), PUT, 2, whole=round)
log("jtop_log.json", "[", lambda r: ("," if r.i else "") + json.dumps({"rail": {"VDD_GPU_SOC": {"volt": 4900, "curr": 800, "warn": 32760, "power": round(r.power * 100), "avg": 1900},
    "VDD_CPU_CV": {"volt": 4900, "curr": 100, "power": 600, "avg": 600}}, "tot": {"volt": 0, "curr": 0, "power": round(r.power * 100) + 4000, "avg": 6000}, "date": r.full}), (), 1, 1, 60, ["]"])
log("bench.csv", ["Request,Status,Latency (ms),Prompt Tokens,Completion Tokens", *[f"{k},200,{800 + k}.12,512,128" for k in range(12)], "", "NVIDIA Metrics",
    "Timestamp,GPU Utilization (%),Memory Utilization (%),Memory Used (MiB),Memory Total (MiB)"], lambda r: f"{r.full},{r.util},{r.mem_util},{r.mem},{r.total}", ("util",))
log("tables.csv", "timestamp,power_w,util_pct", lambda r: f"{r.full},{r.power},{r.util}", PU, tail=["", "timestamp,cpu_pct,ram_gb",
    *[f"2026-09-12 07:00:{k:02d},{k},12" for k in range(30)], "", "request,latency_ms,tokens", *[f"{k},{800 + k}.5,128" for k in range(90)]])
log("GPU Power-data-2026-09-12 06_17_26.csv", '"Time","GPU 0","GPU 1"', lambda r: None if r.gpu else r.full + "".join(f",{x.power} W" for x in r.peers), ("power",), 2, 15)
log("GPU Power Usage-data-as-joinbyfield-2026-09-12 06_17_26.csv", '"Time","node1 gpu 0","node1 gpu 1"',
    lambda r: None if r.gpu else f"{r.epoch[:10]}000" + "".join(f",{x.power}" for x in r.peers), ("power",), 2, 15)
log("joined.csv", '"Time","DCGM_FI_DEV_POWER_USAGE{Hostname=""n1"", gpu=""0""}","DCGM_FI_DEV_POWER_USAGE{Hostname=""n1"", gpu=""1""}"',
    lambda r: None if r.gpu else r.full + "".join(f",{x.power}" for x in r.peers), ("power",), 2, 15)
log("influx.csv", ["#group,false,false,true,true,false,false,true,true,true,true", "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string,string",
    "#default,_result,,,,,,,,,", ",result,table,_start,_stop,_time,_value,_field,_measurement,host,index"],
    lambda r: f",,{r.gpu},2026-09-12T06:00:00Z,2026-09-12T08:00:00Z,{r.iso}Z,{r.power},power_draw,nvidia_smi,n1,{r.gpu}", ("power",), 2, 10)
log("history.csv", "entity_id,state,last_changed", lambda r: f"sensor.gpu_server_plug_power,{r.power},{r.iso}.000Z", ("power",), 1, 10)
log("tasmota.jsonl", [], lambda r: json.dumps({"StatusSNS": {"Time": r.iso, "ENERGY": {"TotalStartTime": "2025-01-01T00:00:00", "Total": 12.3 + r.i * .0001, "Yesterday": 1.2,
    "Today": .8, "Power": r.power, "ApparentPower": r.power + 9, "ReactivePower": 12, "Factor": .98, "Voltage": 231, "Current": round(r.power / 231, 3)}}}), ("power",), 1, 10)
log("run-1-tag-gpu_power_w.csv", "Wall time,Step,Value", lambda r: f"{r.epoch},{r.i * 10},{r.power}", ("power",), 1, 10)
log("powerjoular.csv", "Date,CPU Utilization,Total Power,CPU Power,GPU Power", lambda r: f"{r.full},{r.cpu / 100},{r.power + r.cpu},{r.cpu},{r.power}", ("power",))
log("spl.txt", [], lambda r: f"Time,{r.at('%m-%d-%Y %H:%M:%S')}.532,Watts,{r.power},Volts,228.610000,Amps,0.206270,PF,0.486700,Mark,2026-09-12_06-17-00_run", ("power",))
log("redfish_ipmi.csv", "timestamp,redfish_power,ipmi_power", lambda r: f"{r.full},{r.power},{r.power + 4}", ("power",), 1, 5)
log("rapl.csv", "timestamp,Total,package-0,dram-0", lambda r: f"{r.epoch},{r.power},{r.power - 20},20", (), 1, 1)
log("cpu_power.csv", "timestamp,package_power_w,dram_power_w", lambda r: f"{r.iso},{r.power},{r.power / 10}", (), 1, .5)
log("wattsup.csv", "timestamp,id,power", lambda r: f"{r.full}.430999,{r.i},{r.power}", ("power",))
log("gpu0_power.txt", [], lambda r: f"{round(r.power)} W {r.epoch[:10]}123456 us", ("power",), whole=round)
log("tod.csv", "timestamp,gpu_memory_used_mb", lambda r: f"{r.at('%H:%M:%S')}.123,{r.mem}.0", ())
log("nvline.log", [], lambda r: f"{r.iso}.576466Z  INFO nvline: name=NVIDIA A10G device={r.gpu} used={r.mem} percent={r.mem}/{r.total} (0.02%)", (), 2)
log("collect.csv", "timestamp,index,name,util_gpu,util_mem,mem_used,mem_total,power_draw,gfx_clock",
    lambda r: f"{r.smi}, {r.gpu}, NVIDIA A100, {r.util} %, {r.mem_util} %, {r.mem} MiB, {r.total} MiB, {r.power:.2f} W, {r.sm} MHz", PU, 2)
log("gpu_sensor_log.txt", "Timestamp (s), Power (W), Performance State", lambda r: f"{r.epoch}, {r.power:.2f}, P0", ("power",), 1, .1)

# The third draw: thirty headers that nine queries for parts of headers found, written before the program had seen one of them.
log("n01.csv", "timestamp,gpu_index,utilization_percent,memory_used_mb,memory_total_mb,temperature_c", lambda r: f"{r.epoch},{r.gpu},{r.util},{r.mem},{r.total},{r.temp}", ("util", "temp"), 2)
log("n02.csv", "timestamp,gpu0_junction,gpu0_util,gpu1_junction,gpu1_util,max_temp,max_util,pwm",
    lambda r: None if r.gpu else r.full + "".join(f",{x.temp},{x.util}" for x in r.peers) + f",{max(x.temp for x in r.peers)},{max(x.util for x in r.peers)},90", ("util",), 2, 5)
log("power_session_log.csv", "Timestamp,GPU_Power_W,GPU_Util_Pct,GPU_Temp_C,GPU_Mem_MB,CPU_Util_Pct", lambda r: f"{r.full},{r.power},{r.util},{r.temp},{r.mem},{r.cpu}", PUT)
log("consommation_energie_gpu.csv", "timestamp,gpu_power", lambda r: f"{r.i * 1.013 + .013},{r.power}", ("power",), 1, 1.013)
log("n05.csv", "Timestamp,GPU Name,GPU Utilization (%),Memory Utilization (%),Total Memory (MB),Used Memory (MB),Free Memory (MB),Temperature (°C)",
    lambda r: f"{r.full},NVIDIA A100,{r.util},{r.mem_util},{r.total},{r.mem},{r.total - r.mem},{r.temp}", ("util", "temp"), 1, 2)
log("n06.csv", "timestamp,gpu_index,utilization_gpu[%],memory_used[MB],memory_total[MB],temperature[C]", lambda r: f"{r.full},{r.gpu},{r.util},{r.mem},{r.total},{r.temp}", ("util", "temp"), 2)
log("n07.csv", "timestamp,gpu_index,power_w,utilization_pct,temperature_c", lambda r: f"{r.full},0,{r.power},{r.util},{r.temp}", PUT)
log("gpu_stats.log", "Timestamp,GPU,Temp(C),GPU_Util(%),Mem_Util(%),Mem_Used(MB),Mem_Total(MB),Power(W),Power_Limit(W)",
    lambda r: f"{r.full}.{r.at('%f')},NVIDIA A100,{r.temp}.0,{r.util}.0,{r.mem_util}.0,{r.mem}.0,{r.total}.0,{r.power},400.0", PUT)
log("consommation_energie_jetson.csv", "timestamp,gpu_power", lambda r: f"{r.i * 1.013 + .013},{round(r.power * 100)}", (), 1, 1.013)
log("n10.csv", "timestamp,gpu_id,mem_used_mb,mem_total_mb,util_pct,temp_c", lambda r: f"{r.i * 2.01:.2f},{r.gpu},{r.mem},{r.total},{r.util},{r.temp}", ("util", "temp"), 2, 2.01)
log("hardware_samples.csv", "timestamp,gpu_util_percent,vram_used_mb,power_watts,raw_output", lambda r: f'{r.iso}.123+00:00,{r.util}.0,{r.mem}.0,{r.power},"{r.util}, {r.mem}, {r.power}\n"', PU)
log("telemetry.json", "[", lambda r: ("," if r.i + r.gpu else "") + json.dumps({"elapsed_seconds": r.i * .5 + .013, "gpu": r.gpu, "memory_used_mib": float(r.mem), "memory_total_mib": float(r.total),
    "gpu_busy_percent": r.util, "memory_busy_percent": r.mem_util, "power_watts": r.power, "sm_clock_mhz": r.sm}), PU, 2, .5, 60, ["]"])
log("nested.jsonl", [], lambda r: None if r.gpu else json.dumps({"timestamp": float(r.epoch), "gpus": [{"uuid": x.uuid, "utilization_percent": float(x.util), "memory_utilization_percent":
    float(x.mem_util), "power_watts": x.power, "total_energy_mj": 1000000 + x.i * 250000, "temperature_c": float(x.temp), "power_limit_watts": 400.0} for x in r.peers]}), PUT, 2)
log("n14.csv", "time,gpu_util,power_w,temp_c,mem_used_gb,mem_avail_gb,train_rss,vllm_probe_s", lambda r: f"{r.full},{r.util},{r.power},{r.temp},51,70,12.31GiB,0.{r.i}1", PUT, 1, 10)
log("n15.csv", "time,gpu_util_pct,vram_used_gb,vram_total_gb,gpu_power_w,gpu_temp_c,cpu_util_pct,ram_used_gb,ram_total_gb,train_rss_gb",
    lambda r: f"{r.full},{r.util},{r.mem / 1024:.2f},79.6,{r.power},{r.temp},{r.cpu},12.1,64.0,9.8", PUT, 1, 30)
log("n16.csv", "Time,GPU ID,GPU Util %,Memory Used,Memory Total", lambda r: f"{r.at('%H:%M:%S')},{r.gpu}, {r.util} %, {r.mem} MiB, {r.total} MiB", ("util",), 2, 2)
log("gpu_monitor2.csv", "time,gpu_name,mem_used_mb,mem_total_mb,gpu_util_pct,power_w", lambda r: f"{r.smi}, NVIDIA A100, {r.mem}, {r.total}, {r.util}, {r.power:.2f}", PU, 1, 10)
log("thermal2.csv", "time,gpu,core_c,mem_c,power_w,hw_thermal,sw_thermal,fans_rpm,daemon_duty",
    lambda r: f"{r.full},{r.gpu},{r.temp},{r.temp + 9},{r.power},Not Active,Not Active,1200/1300,45", ("power", "temp"), 2, 10)
log("n19.csv", "Time,GPU,Temp(C),Power(W),Util(%),Clock(MHz)", lambda r: f"{r.epoch[:10]},{r.gpu}, {r.temp}, {r.power:.2f} W, {r.util} %, {r.sm} MHz", PUT, 2)
log("resource_usage.csv", "time," + ",".join(f"gpu{k}_util,gpu{k}_mem_mb,gpu{k}_temp,gpu{k}_w" for k in range(3)) + ",load1,ram_used_mb,disk_free_gb",
    lambda r: None if r.gpu else r.full + "".join(f",{x.util},{x.mem},{x.temp},{x.power}" for x in r.peers) + ",3.12,64000,900", PUT, 3, 30)
log("n21.csv", "time,gpu_util,mem_used_mib,sm_clock,cpu_pct", lambda r: f"{r.epoch[:10]},{r.util},{r.mem},{r.sm},{r.cpu}", ("util",))
log("power_data.csv", "time_ms,power_w,temp_C", lambda r: f"{r.i},{r.power},{r.temp}", ("power", "temp"), 1, .001)
log("n23.csv", "timestamp,power_mw,power_w", lambda r: f"{r.iso}.123Z,{round(r.power * 1000)},{r.power}", ("power",), 1, 1)
log("n24.csv", "ts,elapsed_s,gpu_util,gpu_mem_mb,rss_mb,fps,n_gids", lambda r: f"{r.full},{r.i * 30},{r.util},{r.mem},9000,31.2,12", ("util",), 1, 30)
log("gpu_stats.csv", "elapsed_s,gpu_util_pct,gpu_mem_mb", lambda r: f"{r.i},{r.util},{r.mem}", ("util",))
log("gpu_memory_samples.csv", "elapsed_s,gpu_index,gpu_name,memory_used_mb,memory_total_mb,utilization_gpu_percent", lambda r: f"{r.i}.0,{r.gpu},Mock GPU,{r.mem},{r.total},{r.util}", ("util",), 2)
log("n27.csv", "elapsed_s,gpu,mem_used_mb,util_pct,temp_c,power_w", lambda r: f"{r.i * 1.02:.3f},{r.gpu},{r.mem},{r.util},{r.temp},{r.power}", PUT, 2, 1.02)
log("gpu_power3.csv", "elapsed_s,gpu_index,gpu_name,power_draw_w,power_limit_w,temperature_c,utilization_pct",
    lambda r: f"{r.i * .5:.4f},{r.gpu},NVIDIA RTX A4000,{r.power},140.0,{r.temp},{r.util}", PUT, 2, .5)
log("resources.csv", "timestamp,elapsed_s,gpu_index,gpu_memory_used_mib,gpu_memory_total_mib,gpu_util_pct,gpu_memory_util_pct,temperature_c,power_w,cgroup_current_bytes,cgroup_anon_bytes,"
    "event_low,event_high,event_max,event_oom,host_mem_available_kib,shm_available_kib", lambda r: f"{r.iso}+00:00,{r.i * 5},{r.gpu},{r.mem},{r.total},{r.util},{r.mem_util},{r.temp},{r.power},"
    f"{r.ram << 20},{r.ram << 19},0,0,0,0,64000000,8000000", PUT, 2, 5)
log("power_2026-09-12.csv", "timestamp,power_mW", lambda r: f"{r.iso},{round(r.power * 1000)}", ("power",), 1, 10)
log("python.log", [], lambda r: str({'time': float(r.epoch), 'gpu': r.gpu, 'util': r.util, 'power': r.power, 'temp': float(r.temp), 'name': 'NVIDIA A100', 'ok': True, 'fan': None}), PUT, 2)

def check(program, folder, name, head, row, keys, gpus, dt, n, tail, whole):
    """The complaint about one file; empty: it is right."""
    rng = random.Random(name)
    readings = [Reading(rng, i, gpu, dt) for i in range(n) for gpu in range(gpus)]
    for r in readings:
        r.peers = readings[r.i * gpus:(r.i + 1) * gpus]
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([*head, *(line for line in map(row, readings) if line is not None), *tail]) + "\n")
    command = [program, "gpus", path, "-f", "json", "-q"]
    p = subprocess.run(command, capture_output=True, text=True)
    if (name in REFUSED or name in TOLD) and p.returncode != 65:
        return f"status {p.returncode}, expected 65: {REFUSED.get(name, TOLD.get(name))}"
    if name in REFUSED:
        return ""
    if name in TOLD:
        p = subprocess.run(command + TOLD[name], capture_output=True, text=True)
    if p.returncode != 0:
        return p.stderr.strip()
    rows = json.loads(p.stdout)["rows"]
    samples = sum(r["samples"] for r in rows)
    if len(rows) != gpus or samples != len(readings):
        return f"{len(rows)} GPUs and {samples} samples, expected {gpus} and {len(readings)}"
    for key in keys:
        mine = sum(whole(getattr(r, key)) for r in readings) / len(readings)
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
