#!/usr/bin/env python3
"""Simulates what a user has: a log of nvidia-smi over two GPUs and a list of steps, for data/own.

Writes nvidia-smi.csv and steps.csv into the directory named. The same bytes on every machine: the only random source is
Random.random(), and the arithmetic is + - * / alone.

  scripts/simulate_own.py data/own
"""
import os
import sys
from random import Random

UUIDS = ("GPU-5c1d2b7e-8a40-4c6f-9d33-0e6f1a2b3c4d", "GPU-e7a90f16-2b5c-4d8e-a1f7-93c2d4e5f607")
DAY = "2025/03/04"
START_S = 9 * 3600 + 30 * 60     # 09:30:00, local time without a zone, as nvidia-smi writes it
STEPS = [("load", 4.0)] + [("train", 9.0), ("eval", 3.0)] * 4 + [("save", 2.5)]
LEVEL = {"load": (62.0, 8.0), "train": (268.0, 97.0), "eval": (171.0, 64.0), "save": (58.0, 2.0), "": (33.0, 0.0)}  # W, %


def clock(ms):
    s, ms = divmod(ms, 1000)
    return "%02d:%02d:%02d.%03d" % (s // 3600, s // 60 % 60, s % 60, ms)


def steps():
    t, rows = 3.0, []
    for k, (name, length) in enumerate(STEPS):
        rows.append((name, t, t + length))
        t += length + (0.4 if name == "eval" else 0.15)
    return rows, t + 3.0


def main(out):
    rnd = Random(2025)
    rows, end = steps()
    with open(os.path.join(out, "steps.csv"), "w", newline="") as f:
        f.write("step,start,stop\n")
        for name, a, b in rows:
            f.write("%s,2025-03-04 %s,2025-03-04 %s\n" % (name, clock(START_S * 1000 + round(a * 1000)), clock(START_S * 1000 + round(b * 1000))))
    with open(os.path.join(out, "nvidia-smi.csv"), "w", newline="") as f:
        f.write("timestamp, index, uuid, name, power.draw [W], utilization.gpu [%], temperature.gpu, memory.used [MiB]\n")
        ms, heat = 0, [38.0, 36.0]
        while ms < end * 1000:
            t = ms / 1000
            name = next((n for n, a, b in rows if a <= t < b), "")
            for g in (0, 1):
                watt, util = LEVEL[name]
                watt *= (1.0, 0.94)[g]
                heat[g] += (28 + watt / 7 - heat[g]) * 0.02
                lost = name == "train" and rnd.random() < 0.004
                f.write("%s %s, %d, %s, NVIDIA A30, %s, %d %%, %d, %d MiB\n" % (
                    DAY, clock(START_S * 1000 + ms + 3 * g), g, UUIDS[g],
                    "[N/A]" if lost else "%.2f W" % (watt + 4 * (rnd.random() - 0.5)),
                    min(100, round(util + 3 * rnd.random())) if name else 0, round(heat[g]),
                    612 if not name or name == "load" else 18432))
            ms += 200


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "data/own")
