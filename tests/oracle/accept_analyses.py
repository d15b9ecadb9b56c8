#!/usr/bin/env python3
"""Holds window join, energy, balance and clusters to the real TeraScope run.

  accept_analyses.py PROGRAM DATASET WINDOW_MEANS

Every row of another analyst's window means (WINDOW_MEANS, a CSV), the energy of these windows by an exact trapezoid,
the closing of the balance, the two populations of GPUs, and the same bytes for any number of threads. Takes about a
minute and 1.6 GB.
"""
import csv
import io
import os
import subprocess
import sys
from argparse import Namespace
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import oracle  # noqa: E402
from check_published import RECONSTRUCTED  # noqa: E402

METRICS = ("power_w", "temp_c", "gpu_util_pct", "mem_util_pct")
failed = 0


def say(ok, text):
    global failed
    failed += not ok
    print("%s  %s" % ("ok " if ok else "OFF", text))


def ask(program, *args):
    done = subprocess.run([program, *args, "-q", "-f", "csv"], capture_output=True, text=True, check=True)
    return done.stdout


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def window_means(program, dataset, path):
    with open(path, encoding="utf-8", newline="") as f:
        wanted = {(r["task_id"], r["event"]): r for r in csv.DictReader(f)}
    joined = ask(program, "join", dataset, "--join", "window", "--duplicates", "drop")
    got = {(r["task_id"], r["event"]): r for r in csv.DictReader(io.StringIO(joined))
           if (r["task_id"], r["event"]) in wanted}
    counts = sum(int(got[k]["n_samples"]) == int(r["n_samples"]) for k, r in wanted.items())
    say(len(got) == len(wanted) == 2283 and counts == 2283, "%d windows, %d sample counts agree" % (len(wanted), counts))
    off = {(k, m): float(r[m]) - float(got[k][m]) for k, r in wanted.items() for m in METRICS
           if abs(float(got[k][m]) - float(r[m])) > 1e-9}
    known = {(k, "temp_c"): d for k, d in RECONSTRUCTED.items()}
    say(off == known, "means agree to 1e-9, but for the %d reconstructed temperatures: %s" % (len(known), off))
    data = oracle.Dataset(dataset, True)
    oracle.prepare(data, Namespace(join="window", max_gap=None))
    worst = Fraction(0)
    for pair in data.pairs:
        key = pair[2], pair[3]
        if key not in wanted:
            continue
        exact = oracle.Window(data, pair).energy_j()
        worst = max(worst, abs(Fraction(float(got[key]["energy_j"])) - exact) / exact)
    say(worst <= Fraction(1, 10**12), "energies of the windows are within %.1e of the exact trapezoid" % float(worst))


def balance(program, dataset):
    def total(parts):
        return sum(Fraction(float(r["energy_j"])) for r in parts)
    run = rows(ask(program, "balance", dataset))
    whole = Fraction(float(run[-1]["energy_j"]))
    say(abs(total(r for r in run if r["state"] != "total") - whole) < Fraction(1, 10**6),
        "the parts of %.6f J close to a microjoule" % float(whole))
    for by in ("gpu", "level"):
        parts = [r for r in rows(ask(program, "balance", dataset, "--by", by)) if r["state"] != "total"]
        say(abs(total(parts) - whole) < Fraction(1, 10**4), "the %d parts by %s add up to it" % (len(parts), by))
    steps = rows(ask(program, "timeline", dataset))
    say(abs(total(steps) - whole) < Fraction(1, 10**5), "the %d steps of the timeline add up to it" % len(steps))
    say(sum(int(r["finished_tasks"]) for r in steps) == 65793, "65,793 tasks finish in them, each once")


def clusters(program, dataset):
    found = rows(ask(program, "clusters", dataset))
    inside = len(found) == 2 and all(
        low <= float(r[c]) <= high for r, ranges in zip(found, (((61, 63), (30, 32)), ((64, 66), (35, 37))))
        for c, (low, high) in zip(("gpu_util_mean_pct", "mem_util_mean_pct"), ranges))
    say(inside, "two clusters of GPUs where the study has them: %s" % ", ".join(
        "%s GPUs at %s, %s %%" % (r["gpus"], r["gpu_util_mean_pct"], r["mem_util_mean_pct"]) for r in found))


def main():
    program, dataset, means = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3]
    window_means(program, dataset, means)
    balance(program, dataset)
    clusters(program, dataset)
    for args in (["bias"], ["balance"], ["balance", "--by", "gpu"], ["timeline"], ["schedule"], ["schedule", "--by", "host"],
                 ["tiles", "--value", "energy"], ["clusters", "--by", "gpu"], ["stragglers", "--all"]):
        said = {ask(program, args[0], dataset, *args[1:], "-j", j) for j in ("1", "2", "7")}
        say(len(said) == 1, "%s: the same bytes for -j 1, 2 and 7" % " ".join(args))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
