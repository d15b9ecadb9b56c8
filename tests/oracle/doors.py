#!/usr/bin/env python3
"""Holds the commands' energies to each other, on random small runs: one energy, one interval, whichever door is asked.

  doors.py PROGRAM [SEED [RUNS]]

The sum of join's rows is that of events by any key; balance's parts are its total, whichever way they are cut; its
total is that of gpus, timeline and power, and of jobs with what no job held; power and balance print one interval of
the fleet, gpus and power one of each GPU. The runs have gaps, samples at one instant, samples that name jobs on all,
some or none of a GPU's rows, missing readings, several GPUs on a host, nested events with and without a GPU and a job;
one in five has an energy counter in place of the power. Every second one is a log faster than its sensor with trains of bursts.
Without RUNS a sample of the 500 that hold is tried; DOORS=500 tries them all.
"""
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import oracle  # noqa: E402
from run_analyses import BASE, S, make  # noqa: E402


def label(rnd, t, stretches):
    """The job that a sample names: that of the stretch of time that it lies in, unless the exporter was late."""
    for first, last, job in stretches:
        if first <= t < last and rnd.random() < 0.95:
            return job
    return ""


def build(rnd, directory):
    """samples.csv and events.csv; returns the options to read them with."""
    tables = make(rnd, False)
    gpus = {}
    for row in tables["gpu.csv"][1]:
        gpus.setdefault((row[1], row[3]), []).append(row)
    labels = rnd.choice((None, "some", "all"))
    rows = []
    for (host, gpu), own in gpus.items():
        cuts = sorted(rnd.randrange(60) * S for _ in range(4))
        stretches = [(cuts[0], cuts[1], "j0"), (cuts[2], cuts[3], "j1")] if labels else []
        if labels == "all":
            stretches = [(-S, cuts[1], "j0"), (cuts[1], 1000 * S, "j1")]
        elif rnd.random() < 0.3:
            stretches = []
        if rnd.random() < 0.3:                       # a hole
            own = [r for r in own if not cuts[1] < r[0] < cuts[2]] or own
        rows += [[oracle.time_text(BASE + r[0]), host, gpu, label(rnd, r[0], stretches)] + r[4:] for r in own]
    rnd.shuffle(rows)
    counted = random.Random(len(rows)).random() < 0.2          # a generator of its own: the runs stay as they were
    if counted:
        count(rows)
    hosts = sorted({host for host, _ in gpus})
    events = []
    for i in range(rnd.choice((1, 12, 30))):
        host = rnd.choice(hosts)
        start = rnd.randrange(-5, 60) * S + rnd.randrange(1000) * 10**6
        if i == 0:                                   # else nothing overlaps, which is refused
            start = min(gpus[k][0][0] for k in gpus if k[0] == host)
        stop = start + rnd.randrange(1, 25) * S
        gpu = rnd.choice([g for h, g in gpus if h == host]) if rnd.random() < 0.4 else ""
        job = rnd.choice(("j0", "j1", "j2", ""))
        for event in ("outer", "inner")[:rnd.choice((1, 2))]:
            events.append([event, host, gpu, job, "t%d" % i, oracle.time_text(BASE + start), oracle.time_text(BASE + stop)])
            start, stop = start + (stop - start) // 4, stop - (stop - start) // 3
    for name, header, body in (("samples.csv", "time,host,gpu_uuid,job,%s,temp_c,gpu_util_pct,mem_util_pct" % ("energy_j" if counted else "power_w"), rows),
                               ("events.csv", "name,host,gpu,job,task,start,stop", events)):
        with open(os.path.join(directory, name), "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(header.split(","))
            w.writerows(body)
    gap = rnd.choice(([], [], ["--max-gap", "4s"]))
    sensor = rnd.choice(([], [], ["--sensor", "period=100ms,window=1s,gain=0.95,offset=4.6"]))
    return ["--set", "samples.job=job"] + gap + sensor


def build_fast(rnd, directory):
    """The same files of a log faster than its sensor, with trains of bursts that the sensor sees whole, in part or not, among events of any length."""
    poll, period = rnd.choice((20, 100, 250)), rnd.choice((100, 1000))
    samples, events = [], []
    for host, n in (("h0", rnd.choice((30, 300))), ("h1", rnd.choice((2, 30, 300)))):
        gpus = ["%sg%d" % (host, k) for k in range(rnd.choice((1, 2, 4)))]
        burst, rest, uneven = rnd.choice((30, 60, 300, 2500)), rnd.choice((30, 60, 900)), rnd.choice((0, 0, 0.3))
        t, bursts = 0, []
        while t < n * poll and len(bursts) < 150:
            start = t + int(rest * (1 + uneven * rnd.uniform(-1, 1)))
            t = start + int(burst * (1 + uneven * rnd.uniform(-1, 1)))
            bursts.append((start, t))
        for gpu in gpus:
            t, seen, value = rnd.randrange(poll), None, 0
            for _ in range(n):
                if t // period != seen:
                    seen = t // period
                    value = "" if rnd.random() < 0.03 else round(rnd.gauss(300 if any(a <= t < b for a, b in bursts) else 60, 3), 2)
                samples += [(t, host, gpu, "", value)] * rnd.choice((1,) * 30 + (2,))
                t += poll * rnd.choice((1,) * 20 + (0, 2, 30))
        if rnd.random() < 0.8:
            events += [("burst", host, "", "j0", "t%d" % i, a, b) for i, (a, b) in enumerate(bursts)]
        for i in range(rnd.choice((1, 10))):
            start = rnd.randrange(n * poll)
            events.append((rnd.choice("AB"), host, rnd.choice(("", gpus[0])), "j1", "r%d" % i, start,
                           start + rnd.choice((0, 1, poll, 3 * poll, n * poll // 3))))
    rnd.shuffle(samples)
    for name, header, rows, times in (("samples.csv", "time,host,gpu_uuid,job,power_w", samples, (0,)),
                                      ("events.csv", "name,host,gpu,job,task,start,stop", events, (5, 6))):
        with open(os.path.join(directory, name), "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(header.split(","))
            w.writerows([oracle.time_text(BASE + c * 10**6) if k in times else c for k, c in enumerate(r)] for r in rows)
    sensor = rnd.choice(([], ["--sensor", "period=100ms,window=25ms"], ["--sensor", "window=1s,gain=0.95"], ["--max-gap", "1s"]))
    return ["--set", "samples.job=job"] + sensor


def count(rows):
    """The same rows with an energy counter in place of the power: some logs have no other."""
    used = {}
    for r in sorted(rows, key=lambda r: (r[0], str(r))):
        t, joules = used.get((r[1], r[2]), (oracle.parse_time(r[0]), 1000.0))
        now = oracle.parse_time(r[0])
        if r[4] not in ("", None):
            joules += (now - t) / S * max(float(r[4]), 1.0)
            used[r[1], r[2]] = now, joules
            r[4] = "%.3f" % joules


class Doors:
    def __init__(self, program, rnd, make_files):
        self.program = program
        self.space = tempfile.TemporaryDirectory()
        self.options = make_files(rnd, self.space.name)

    def ask(self, command, *args, events=True):
        files = ["--samples", self.space.name + "/samples.csv"] if events else [self.space.name + "/samples.csv"]
        files += ["--events", self.space.name + "/events.csv"] if events else []
        p = subprocess.run([self.program, command, *files, *args, *self.options, "-q", "-f", "csv"], capture_output=True,
                           text=True, check=False)
        assert p.returncode == 0, (command, args, p.returncode, p.stderr)
        return list(csv.DictReader(io.StringIO(p.stdout)))


def total(rows, column="energy_j"):
    return math.fsum(float(r[column]) for r in rows if r[column] != "")


def same(a, b, what, absolute=0.0):
    """Each addend was rounded once, to 1 in 2^53; jobs rounds to the microjoule."""
    assert abs(a - b) <= max(absolute, 1e-13 * max(abs(a), abs(b), 1)), (what, a, b)


def interval(row, energy="energy_j"):
    return tuple(row[c] for c in (energy, "energy_low_j", "energy_high_j"))


def check_events(d):
    pairs = d.ask("join", "--join", "window")
    for keys, column in ((None, "energy_sum_j"), ("job", "energy_sum_j"), ("gpu,event", "energy_sum_j"), ("host", "energy_sum_j")):
        rows = d.ask("events", "--join", "window", *(["--by", keys] if keys else []))
        same(total(rows, column), total(pairs), ("events", keys))


def check_totals(d):
    gpus = d.ask("gpus")
    power = d.ask("power", events=False)
    whole = [r for r in power if r["gpu"] == "total"] or power
    assert len(whole) == 1
    parts = d.ask("balance")
    all_of_it = [r for r in parts if (r["state"], r["part"]) == ("total", "all")]
    assert interval(all_of_it[0]) == interval(whole[0], "energy_sensor_j"), (all_of_it, whole)
    same(total([r for r in parts if r["state"] != "total"]), total(gpus), "balance")
    by_gpu = d.ask("balance", "--by", "gpu")
    same(total([r for r in by_gpu if r["state"] not in ("total", "")]), total(gpus), "balance --by gpu")
    for every in "7s", "60s":
        same(total(d.ask("timeline", "--every", every)), total(gpus), "timeline")
    same(total(d.ask("jobs")), total(gpus), "jobs", 1e-6)
    same(total(d.ask("jobs", "--by", "name")), total(gpus), "jobs --by name", 1e-6)
    single = {r["gpu"].split("/")[-1]: interval(r, "energy_sensor_j") for r in power if r["gpu"] != "total"}
    for r in gpus:
        assert interval(r) == single[r["gpu_uuid"]], (r["gpu_uuid"], interval(r), single[r["gpu_uuid"]])


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else int(os.environ.get("DOORS", "25"))
    for i in range(runs):
        d = Doors(program, random.Random(1000 * seed + i), build_fast if i % 2 else build)
        try:
            check_events(d)
            check_totals(d)
        except AssertionError:
            print("run %d of seed %d:" % (i, seed))
            raise
        d.space.cleanup()
    print("%d random runs have one energy by every door" % runs)


if __name__ == "__main__":
    main()
