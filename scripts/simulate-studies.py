#!/usr/bin/env python3
"""Writes the small simulated tables of the other studies into a folder: power log, bursts, iterations,
operations, sweep. What each holds, and what it should show, is in data/README-studies.md.

  simulate-studies.py [--seed N] FOLDER
"""
import argparse
import os
import random
from datetime import datetime, timedelta, timezone

UTC = timezone.utc
LOG_OFFSET = timedelta(hours=1)  # the log is local time, the bursts are UTC


def power_log(out, rng):
    """Two GPUs every 0.2 s for 60 s, a sensor that refreshes every 1 s, five bursts of 6 s on GPU 0 and 1."""
    start = datetime(2024, 10, 10, 12, 18, 58, 369000, UTC)
    bursts = [(start + timedelta(seconds=s + rng.uniform(-0.3, 0.3)),
               start + timedelta(seconds=s + 6 + rng.uniform(-0.3, 0.3))) for s in (4, 15, 26, 37, 48)]
    header = "timestamp, index, utilization.gpu [%], temperature.gpu, power.draw [W], memory.used [MiB], memory.total [MiB]"
    rows = [header]
    sensor = {0: (None, 0.0), 1: (None, 0.0)}
    temperature = {0: 34.0, 1: 36.0}
    for k in range(300):
        if k == 150:
            rows.append(header)  # as a logger that was restarted writes it
        for gpu in (0, 1):
            t = start + timedelta(milliseconds=200 * k + 11 * gpu + rng.randrange(4))
            busy = any(a <= t < b for a, b in bursts)
            temperature[gpu] += (0.25 if busy else -0.08) * (1 if temperature[gpu] > 33 else 0.2)
            slot = int((t - start).total_seconds() + 0.37 * gpu)
            if sensor[gpu][0] != slot:
                watts = (146.0 if busy else 27.5) + 3 * gpu + rng.gauss(0, 2.2 if busy else 0.25)
                sensor[gpu] = (slot, watts)
            watts = f"{sensor[gpu][1]:.2f} W"
            if k == 77 and gpu == 1:
                watts = "[N/A]"
            if k in (120, 121) and gpu == 0:
                watts = "612.00 W"  # a glitch of the sensor: what the filter is for
            stamp = (t + LOG_OFFSET).strftime("%Y/%m/%d %H:%M:%S.") + f"{t.microsecond // 1000:03d}"
            util = rng.randrange(93, 101) if busy else rng.randrange(0, 3)
            rows.append(f"{stamp}, {gpu}, {util} %, {temperature[gpu]:.0f}, {watts}, "
                        f"{4396 if busy else 433} MiB, 11264 MiB")
    rows.append("2024/10/10 13:19:58.3")  # torn off
    with open(os.path.join(out, "power-log.csv"), "w", newline="") as f:
        f.write("\n".join(rows))
    with open(os.path.join(out, "power-windows.csv"), "w", newline="") as f:
        f.write("event,start,end\n")
        for i, (a, b) in enumerate(bursts, 1):
            f.write(f"burst {i},{a.isoformat(timespec='milliseconds').replace('+00:00', 'Z')},"
                    f"{b.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}\n")


def iterations(out, rng):
    """60 us an iteration, but the first 100 ms of every run go at a clock that is a fifth lower."""
    with open(os.path.join(out, "iterations.csv"), "w", newline="") as f:
        f.write("iterations,runtime_s\n")
        n = 290.0
        last = 0
        while n <= 10e6:
            if round(n) != last:
                last = round(n)
                work = 60e-6 * last
                run = work * 1.25 if work * 1.25 < 0.1 else 0.1 + (work - 0.08)
                f.write(f"{last},{max(run + rng.gauss(0, 0.0002), 1e-5):.9f}\n")
            n *= 1.13


def operations(out, rng):
    """Four networks, their operations alone and as a whole: summing overestimates, more so for small ones."""
    layers = {
        "alexnet": [("Conv2d(3, 64)", 1, 1.10), ("Conv2d(64, 192)", 1, 0.85), ("ReLU", 7, 0.04), ("Linear(9216, 4096)", 1, 2.10),
                    ("Linear(4096, 1000)", 1, 0.55)],
        "resnet18": [("Conv2d(64, 64)", 4, 0.61), ("Conv2d(128, 128)", 4, 0.52), ("Conv2d(256, 256)", 4, 0.47),
                     ("BatchNorm2d(64)", 20, 0.06), ("ReLU", 17, 0.03), ("Linear(512, 1000)", 1, 0.05)],
        "vgg11": [("Conv2d(64, 128)", 1, 3.90), ("Conv2d(256, 256)", 2, 4.30), ("Conv2d(512, 512)", 4, 2.70), ("ReLU", 10, 0.11),
                  ("Linear(25088, 4096)", 1, 4.00)],
        "mobilenet_v2": [("Conv2d(32, 16)", 17, 0.09), ("Conv2d(96, 24)", 17, 0.12), ("BatchNorm2d(96)", 52, 0.03),
                         ("ReLU6", 35, 0.02)],
    }
    over = {"alexnet": 1.05, "resnet18": 1.22, "vgg11": 1.01, "mobilenet_v2": 1.48}
    with open(os.path.join(out, "operations-validate.csv"), "w", newline="") as f:
        f.write("model,operation,count,time_s,time_sd_s,energy_j,energy_sd_j\n")
        for model, ops in layers.items():
            time = energy = 0.0
            for name, count, ms in ops:
                t = ms * 1e-3 * rng.uniform(0.97, 1.03)
                watts = rng.uniform(118, 164)
                f.write(f'{model},"{name}",{count},{t:.9f},{t * rng.uniform(0.002, 0.02):.9f},'
                        f"{t * watts:.9f},{t * watts * rng.uniform(0.005, 0.03):.9f}\n")
                time += count * t
                energy += count * t * watts
            t, e = time / over[model], energy / over[model] * rng.uniform(1.0, 1.06)
            f.write(f"{model},*,1,{t:.9f},{t * 0.004:.9f},{e:.9f},{e * 0.01:.9f}\n")


def sweep(out, rng):
    """Three networks, 25 core clocks, three repetitions; power rises more steeply above 1200 MHz."""
    networks = {"mobilenet_v2": (0.004, 0.25, 38, 0.035), "resnet50": (0.021, 0.75, 45, 0.062),
                "vgg16": (0.048, 0.92, 52, 0.085)}
    rows = []
    for network, (fastest, bound, idle, slope) in networks.items():
        for f in range(405, 1606, 50):
            for repetition in (1, 2, 3):
                time = fastest * (1 - bound + bound * 1605 / f) * (1 + rng.gauss(0, 0.006))
                power = (idle + slope * f + max(0, f - 1200) * slope * 3.2) * (1 + rng.gauss(0, 0.008))
                rows.append(f"{network},{f},{repetition},{time:.6f},{power:.2f}")
    rng.shuffle(rows)
    with open(os.path.join(out, "sweep.csv"), "w", newline="") as f:
        f.write("network,frequency_mhz,repetition,time_s,power_w\n" + "\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("folder")
    args = parser.parse_args()
    for i, write in enumerate((power_log, iterations, operations, sweep)):
        write(args.folder, random.Random(args.seed * 10 + i))


if __name__ == "__main__":
    main()
