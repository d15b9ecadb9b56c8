#!/usr/bin/env python3
"""How often `gpustat diff` sees a change where there is none: hosts of one real run against other hosts of it.

usage: diff_draws.py GPUSTAT RUN [DRAWS]

Each draw takes 16 hosts as A and 16 others as B (Python's generator, seed = number of the draw), writes each side's rows
of gpu.csv, application-checkpoints.csv and task-x-y.csv into a folder, and counts the rows whose verdict is not same,
unsure, only_a or only_b. Nothing differs between the sides but which GPUs they are, so every such row is a false alarm.
The exit status is 1 where one has more than 6.5 % of them.
"""
import collections
import csv
import io
import os
import random
import subprocess
import sys
import tempfile


def rows_by_host(path, column):
    """The header of a file and, by host, its lines as they stand."""
    with open(path, encoding="utf-8") as f:
        header = f.readline()
        at = next(csv.reader([header])).index(column)
        rows = collections.defaultdict(list)
        for line in f:
            rows[line.split(",", at + 1)[at]].append(line)
    return header, rows


def main():
    gpustat, run = sys.argv[1], sys.argv[2]
    draws = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    gpu = rows_by_host(os.path.join(run, "gpu.csv"), "hostname")
    app = rows_by_host(os.path.join(run, "application-checkpoints.csv"), "hostname")
    with open(os.path.join(run, "task-x-y.csv"), encoding="utf-8") as f:
        tasks = f.read()
    hosts = sorted(gpu[1].keys() & app[1].keys())
    rows, alarms = collections.Counter(), collections.Counter()
    tables = 0
    with tempfile.TemporaryDirectory() as tmp:
        for draw in range(draws):
            chosen = random.Random(draw).sample(hosts, 32)
            for side, names in (("a", chosen[:16]), ("b", chosen[16:])):
                folder = os.path.join(tmp, side)
                os.makedirs(folder, exist_ok=True)
                for name, (header, of) in (("gpu.csv", gpu), ("application-checkpoints.csv", app)):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                        out.write(header)
                        for host in names:
                            out.writelines(of[host])
                with open(os.path.join(folder, "task-x-y.csv"), "w", encoding="utf-8") as out:
                    out.write(tasks)
            text = subprocess.run([gpustat, "diff", tmp + "/a", tmp + "/b", "--format", "csv"], check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            any_alarm = False
            for row in csv.DictReader(io.StringIO(text)):
                what = row["event"] + " " + row["measure"]
                rows[what] += 1
                if row["verdict"] not in ("same", "unsure", "only_a", "only_b"):
                    alarms[what] += 1
                    any_alarm = True
            tables += any_alarm
    too_many = [what for what in rows if 1000 * alarms[what] > 65 * rows[what]]
    for what in sorted(rows):
        print(f"{what}: {alarms[what]} of {rows[what]} ({100 * alarms[what] / rows[what]:.1f} %)")
    print(f"tables with an alarm: {tables} of {draws} ({100 * tables / draws:.1f} %)")
    return too_many != []


if __name__ == "__main__":
    sys.exit(main())
