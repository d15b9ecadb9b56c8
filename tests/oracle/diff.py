#!/usr/bin/env python3
"""Holds `gpustat diff` to R's t.test and to runs whose difference is known.

usage: diff.py GPUSTAT [SHARED]

1. Where Rscript is installed: steps of 8 hosts, made here, compared in pairs (the same hosts), by Welch's test (other hosts)
   and by run (3 against 4). Change, interval and p must be those of t.test on the logarithms' medians of each unit.
2. Where the folder SHARED (default ../shared/data) is there: two training runs. B's power is capped: it is slower, at
   less energy a step. By the power logs alone its mean power is lower, and the clock that differs is GPU 5's.
3. Steps made here, with pauses between those of B, read by sensors with a lag that gpustat does not know. The interval of the
   energy per step holds what is true of it; without pauses, where the lag cancels, it is as narrow as before.

What is left out is said. The last line is "N passed, M failed".
"""
import csv
import io
import lzma
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402


def text_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env={**os.environ, "LC_ALL": "C", "TZ": "UTC"}).stdout


def diff(program, *arguments):
    return list(csv.DictReader(io.StringIO(text_of(program, "diff", "-f", "csv", *arguments))))


# --- R --------------------------------------------------------------------------------------------------


def stamp(ns):
    s, rest = divmod(ns, 10**9)
    return f"2025-03-04T{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{rest:09}Z"


def write_steps(path, factor, rng, hosts):
    """200 steps a host; returns the median logarithm of each, and that of all."""
    logs = {}
    with open(path, "w", encoding="utf-8") as f:
        f.write("event,host,start,stop\n")
        for host in hosts:
            own, at = factor * rng.gauss(1, 0.02), 10**9
            logs[host] = []
            for _ in range(200):
                length = round(1e9 * own * rng.lognormvariate(0, 0.03))
                f.write(f"step,{host},{stamp(at)},{stamp(at + length)}\n")
                logs[host].append(math.log(length / 1e6))
                at += length + 1000
    return {host: statistics.median(y) for host, y in logs.items()}, statistics.median(sum(logs.values(), []))


def t_test(a, b, paired):
    """R's estimate, low, high and p of b less a."""
    numbers = [",".join(repr(x) for x in side) for side in (a, b)]
    r = f"""a <- c({numbers[0]}); b <- c({numbers[1]}); t <- t.test(b, a, paired = {paired})
            cat(sprintf("%.17g", c({'t$estimate' if paired == 'TRUE' else 'mean(b) - mean(a)'}, t$conf.int, t$p.value)))"""
    return [float(x) for x in text_of("Rscript", "-e", r).split()]


def hold_to_r(what, row, a, b, paired):
    estimate, low, high, p = t_test(a, b, paired)
    for name, want in (("change_pct", estimate), ("low_pct", low), ("high_pct", high)):
        want = 100 * math.expm1(want)
        # The clock's resolution, 1 ns of 1 s, widens the limits.
        check(f"{what}, {name}", abs(float(row[name]) - want) <= 1e-6 + 1e-9 * abs(want), f"{row[name]}, R has {want!r}")
    check(f"{what}, p_value", abs(float(row["p_value"]) - p) <= 1e-9 * p + 1e-15, f"{row['p_value']}, R has {p!r}")


def against_r(program, tmp):
    rng = random.Random(1908)
    here, other = [f"n{k}" for k in range(8)], [f"n{k}" for k in range(8, 16)]
    runs = [write_steps(f"{tmp}/{name}.csv", factor, rng, hosts)
            for name, factor, hosts in (("a", 1, here), ("b", 1.01, here), ("c", 1.01, other))]
    for what, name, k, paired in (("the same hosts", "b", 1, "TRUE"), ("other hosts", "c", 2, "FALSE")):
        rows = diff(program, "--measure", "duration", f"{tmp}/a.csv", f"{tmp}/{name}.csv")
        check(what, len(rows) == 1 and rows[0]["unit"] == "host", rows)
        hold_to_r(what, rows[0], list(runs[0][0].values()), list(runs[k][0].values()), paired)
    sides = [[write_steps(f"{tmp}/{side}{k}.csv", rng.gauss(factor, 0.01), rng, here)[1] for k in range(n)]
             for side, factor, n in (("x", 1, 3), ("y", 1.03, 4))]
    arguments = [word for k in range(3) for word in ("--base", f"{tmp}/x{k}.csv")] + [f"{tmp}/y{k}.csv" for k in range(4)]
    rows = diff(program, "--measure", "duration", *arguments)
    check("runs", len(rows) == 1 and rows[0]["unit"] == "run", rows)
    hold_to_r("runs", rows[0], *sides, "FALSE")


# --- training -------------------------------------------------------------------------------------------


def training(program, folder, tmp):
    for run in "AB":
        os.makedirs(f"{tmp}/steps{run}")
        os.makedirs(f"{tmp}/log{run}")
        with lzma.open(f"{folder}/run{run}.csv.xz") as packed, open(f"{tmp}/log{run}/run{run}.csv", "wb") as out:
            shutil.copyfileobj(packed, out)
        shutil.copy(f"{tmp}/log{run}/run{run}.csv", f"{tmp}/steps{run}")
        shutil.copy(f"{folder}/run{run}-steps.csv", f"{tmp}/steps{run}")
    rows = diff(program, f"{tmp}/stepsA", f"{tmp}/stepsB")
    verdicts = {(row["event"], row["measure"]): row["verdict"] for row in rows}
    check("training with steps", verdicts == {("step", "duration"): "slower", ("step", "energy"): "less"}, verdicts)
    rows = diff(program, f"{tmp}/logA", f"{tmp}/logB")
    verdicts = {(row["event"], row["measure"]): row["verdict"] for row in rows}
    check("training by its logs, power", verdicts["whole log", "power"] == "less", verdicts)
    check("training by its logs, clock", verdicts["whole log", "sm_clock_mhz"] in ("same", "unsure"), verdicts)
    said = text_of(program, "diff", f"{tmp}/logA", f"{tmp}/logB")
    check("training by its logs, GPU 5", "GPU 5" in said and "GPU 4" not in said, said)


# --- pauses ---------------------------------------------------------------------------------------------


def write_paused(folder, rng, pause, watts, lag):
    """40 steps of 6 s on 4 GPUs that draw 70 W between them, polled each second; returns the energy of a step."""
    os.makedirs(folder)
    at, steps = 30.0, []
    for _ in range(40):
        steps.append((at, at + rng.gauss(6, 0.2)))
        at = steps[-1][1] + pause
    with open(f"{folder}/steps.csv", "w", encoding="utf-8") as f:
        f.write("step,start,end\n")
        f.writelines(f"{k},{1.7e9 + a:.3f},{1.7e9 + b:.3f}\n" for k, (a, b) in enumerate(steps))
    with open(f"{folder}/gpu.csv", "w", encoding="utf-8") as f:
        f.write("timestamp,index,name,power.draw [W]\n")
        for t in range(int(at) + 30):
            polled = 1.7e9 + t + 0.004 * rng.random()
            drawn = watts if any(a <= t - lag < b for a, b in steps) else 70
            f.writelines(f"{polled:.3f},{g},NVIDIA A100-SXM4-80GB,{rng.gauss(drawn, 2):.2f}\n" for g in range(4))
    return statistics.mean(b - a for a, b in steps) * watts * 4


def pauses(program, tmp):
    rng, held, n = random.Random(24), 0, 0
    for pause, watts, lag in [(p, w, lag) for p in (0, 1, 3, 8) for w in (320, 340) for lag in (0, 0.2, 0.6)]:
        n += 1
        energy = [write_paused(f"{tmp}/paused{n}{side}", rng, *of, lag) for side, of in (("a", (0, 320)), ("b", (pause, watts)))]
        row = [r for r in diff(program, f"{tmp}/paused{n}a", f"{tmp}/paused{n}b") if r["measure"] == "energy"][0]
        low, high, true = float(row["low_pct"]), float(row["high_pct"]), 100 * (energy[1] / energy[0] - 1)
        held += low <= true <= high
        if pause == 0:
            check(f"no pauses, {watts} W, lag {lag} s: narrow", high - low < 12, (low, high))
    check("energy of steps with pauses", held >= n - 1, f"{held} of {n} intervals hold what is true")


def main():
    program, shared = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "../shared/data"
    with tempfile.TemporaryDirectory() as tmp:
        if shutil.which("Rscript"):
            against_r(program, tmp)
        else:
            print("Rscript is not installed: t.test was skipped")
        pauses(program, tmp)
        folder = os.path.join(shared, "review3", "training")
        if os.path.isdir(folder):
            training(program, folder, tmp)
        else:
            print(f"{folder} is not here: the training runs were skipped")
    return end()


if __name__ == "__main__":
    sys.exit(main())
