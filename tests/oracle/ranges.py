"""Parts of a run's time (--from, --to, jobs --by) against the whole, and against integrals made here.

    ranges.py PROGRAM

Of random logs with uneven steps and jobs across them: the energies of the parts that two random instants cut a run into
add up to the whole in every command; that of one part is the integral of the straight lines between readings, also
where no reading lies in it; samples count once; jobs cut by hours, days and weeks add up to the jobs.
"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal

PROGRAM = os.path.abspath(sys.argv[1])
LAG = 0.3  # of a sensor of which nothing is known, see energy(7)
START = datetime(2026, 3, 27, 9, 0, tzinfo=timezone.utc)


def text(t):
    return (START + timedelta(seconds=t)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def rows(command, *arguments):
    done = subprocess.run([PROGRAM, command, *arguments, "-q", "-f", "csv"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command} {' '.join(arguments)}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def energy(command, where, *arguments):
    column = "energy_sensor_j" if command == "power" else "energy_j"
    return sum(Decimal(row[column]) for row in rows(command, where, *arguments)
               if row[column] and row.get("part", "all") == "all" and row.get("gpu") != "total")


def integral(log, a, b):
    """Of the straight lines through (t, W) between two instants of the events' clock."""
    total = 0.0
    for (t0, p0), (t1, p1) in zip(log, log[1:]):
        x0, x1 = max(t0, a + LAG), min(t1, b + LAG)
        if x0 < x1:
            at = [p0 + (p1 - p0) * (x - t0) / (t1 - t0) for x in (x0, x1)]
            total += (at[0] + at[1]) / 2 * (x1 - x0)
    return total


def make(folder, draw, hours):
    logs, t = {}, 0.0
    for gpu in range(3):
        t, log = draw.uniform(0, 20), []
        while t < hours * 3600:
            log.append((round(t, 6), round(draw.uniform(60, 400), 2)))
            t += draw.choice((3.7, 11.3, 29.9, 61.1))
        logs[gpu] = log
    with open(os.path.join(folder, "samples.csv"), "w") as out:
        out.write("timestamp,hostname,index,power.draw [W]\n")
        for gpu, log in logs.items():
            out.writelines(f"{text(t)},n1,{gpu},{p}\n" for t, p in log)
    with open(os.path.join(folder, "sacct.txt"), "w") as out:
        out.write("JobID|User|NodeList|Start|End|State|AllocTRES\n")
        for job in range(8):
            a = draw.uniform(-3600, hours * 3600)
            b = a + draw.uniform(60, hours * 2500)
            stamp = [(START + timedelta(seconds=int(x))).strftime("%Y-%m-%dT%H:%M:%SZ") for x in (a, b)]
            out.write(f"{job}|u{job % 3}|n1|{stamp[0]}|{stamp[1]}|COMPLETED|gres/gpu=1,node=1\n")
    return logs


def compare(what, found, expected, tolerance):
    if abs(float(found) - float(expected)) > tolerance:
        sys.exit(f"{what}: {found}, expected {expected}")


def check_cuts(folder, logs, a, b):
    """The three parts of a run, in every command; a GPU's part against its integral."""
    samples = os.path.join(folder, "samples.csv")
    parts = (["--to", text(a)], ["--from", text(a), "--to", text(b)], ["--from", text(b)])
    for command, where in (("gpus", samples), ("balance", samples), ("timeline", samples), ("power", samples),
                           ("jobs", folder)):
        whole = energy(command, where)
        compare(f"{command} {parts[1]}", sum(energy(command, where, *part) for part in parts), whole,
                1e-12 * float(whole) + 2e-6)
    counts = [sum(int(row["samples"]) for row in rows("gpus", samples, *part)) for part in parts]
    compare("samples", sum(counts), sum(len(log) for log in logs.values()), 0)
    for row in rows("gpus", samples, *parts[1]):
        expected = integral(logs[int(row["gpu_uuid"])], a, b)
        compare(f"GPU {row['gpu_uuid']} from {a} to {b}", row["energy_j"], expected, 1e-9 * expected + 1e-3)


def check_periods(folder, logs):
    zone = ("--tz", "Europe/Berlin")  # whose clock goes forward while the logs run
    jobs = energy("jobs", folder, *zone)
    for by in ("hour", "day", "week", "user,day", "day,job"):
        for share in ("alloc", "first-fit", "node"):
            compare(f"jobs --by {by} --share {share}",
                    energy("jobs", folder, *zone, "--by", by, "--share", share), jobs, 1e-12 * float(jobs))
    table = rows("timeline", os.path.join(folder, "samples.csv"), *zone, "--every", "24h")
    midnight = datetime(2026, 3, 27, tzinfo=timezone(timedelta(hours=1)))
    for row, day in zip(table, range(4)):
        begin = midnight + timedelta(days=day, hours=-1 if day > 2 else 0)
        next_day = midnight + timedelta(days=day + 1, hours=-1 if day + 1 > 2 else 0)
        a, b = ((x - START).total_seconds() for x in (begin, next_day))
        expected = sum(integral(log, a if day > 0 else -9e9, b) for log in logs.values())
        if row["time"] != begin.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"):
            sys.exit(f"day {day} begins at {row['time']}")
        if day + 1 < len(table):
            compare(f"day {day}", row["energy_j"], expected, 1e-9 * expected + 1e-3)


def main():
    draw = random.Random(20260327)
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        logs = make(folder, draw, 60)
        check_periods(folder, logs)
        for _ in range(4):
            a, b = sorted(draw.uniform(0, 60 * 3600) for _ in range(2))
            check_cuts(folder, logs, round(a, 6), round(b, 6))
            n += 1
        for length in (0.001, 2.5, 40):
            a = round(draw.uniform(3600, 50 * 3600), 6)
            check_cuts(folder, logs, a, round(a + length, 6))
            n += 1
    print(f"{n} cuts in five commands, 15 divisions by hours, days and weeks")


main()
