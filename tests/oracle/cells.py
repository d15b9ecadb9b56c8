#!/usr/bin/env python3
"""Holds the intervals of energies to the truth of simulated GPUs, cell by cell of section F's table.

  cells.py PROGRAM [NAME]        NAME: only cells whose name begins so

A cell is a load, a sensor and how it is polled; each of its runs is a host of one file of samples and one of events, read
by `join`, `events` and `gpus` as users would. The cards' gain is exact (--sensor gain=1,offset=0) and what the interval
has for the card is taken out again, so that sampling, gaps, lag and edges are held to the truth alone; in the cells of
unknown cards gain and offset are drawn from the cards that were measured and all of the interval counts.
Asked: 93 % of random windows and of whole GPUs and totals, 88 % of single events and of sums of events; EXCEPTED has what
the section excepts. Fewer than 200 draws may miss by three of their standard errors. CELLS=all runs every cell with its full
number of runs, ten minutes of processor time; else a sample of each. Each line has, by group, what was held in %, the median
half width in % and the bias in %; the last is "N passed, N failed".
"""
import bisect
import csv
import io
import itertools
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
from energy import MODELS, show_time  # noqa: E402

START = 1.7e9
WHOLE = os.environ.get("CELLS") == "all"


class Load:
    """Power of levels from instants on, which it follows with a lag (s); the energy up to an instant is exact."""

    def __init__(self, t, watt, lag=0.0):
        self.t, self.watt, self.lag, self.sum, self.at = t, watt, lag, [0.0], [watt[0]]
        for k in range(1, len(t)):
            self.sum.append(self.until(t[k], k - 1))
            self.at.append(self.power(t[k], k - 1))

    def power(self, x, k):
        return self.watt[k] + (self.at[k] - self.watt[k]) * math.exp((self.t[k] - x) / self.lag) if self.lag else self.watt[k]

    def until(self, x, k=None):
        k = max(bisect.bisect_right(self.t, x) - 1, 0) if k is None else k
        length = x - self.t[k]
        curve = (self.at[k] - self.watt[k]) * self.lag * -math.expm1(-length / self.lag) if self.lag else 0.0
        return self.sum[k] + length * self.watt[k] + curve

    def between(self, a, b):
        return self.until(b) - self.until(a)


def switching(kind, dwell, level_sd):
    """100 and 300 W in turns."""
    def make(rng, seconds):
        t, watt, x, k = [], [], -50.0 * max(dwell, 1), 0
        while x < seconds + 20:
            t.append(x)
            watt.append((300.0 if k % 2 else 100.0) + rng.gauss(0, level_sd))
            if kind == "exp":
                x += rng.expovariate(1 / dwell)
            elif kind == "gamma":
                x += rng.gammavariate(4, dwell / 4)
            elif kind == "regular":
                x += dwell * (1 + rng.gauss(0, 0.03))
            else:  # lopsided
                x += rng.expovariate(1) * dwell * (0.3 if k % 2 else 1.7)
            k += 1
        return Load(t, watt), []
    return make


SHORT = {"head": 8, "tasks": 6, "load": (1, 3), "train": (12, 22), "eval": (2, 4), "gap": (0.5, 4), "step": 0.35}
LONG = {"head": 60, "tasks": 4, "load": (20, 40), "train": (150, 300), "eval": (30, 60), "gap": (10, 40), "step": 0.5}


def training(shape):
    """Tasks of loading, steps with communication and stalls, evaluation, saving; events of all of them, and the gaps."""
    def make(rng, seconds):
        scale = rng.uniform(0.85, 1.15)
        idle, load, high, comm, evaluate = (scale * w for w in (60, 90, 330, 170, 230))
        t, watt, events = [-100.0], [idle], []

        def until(end, level):
            t.append(events_at[0])
            watt.append(level)
            events_at[0] = end

        events_at, last = [round(shape["head"] + rng.uniform(0, 2), 3)], None
        for task in range(shape["tasks"]):
            start = events_at[0]
            if last is not None:
                events.append(("gap", task, last, start))
            parts = []
            for name, length in (("Load", rng.uniform(*shape["load"])), (None, 0.05), ("Train", rng.uniform(*shape["train"])),
                                 (None, 0.02), ("Eval", rng.uniform(*shape["eval"])), (None, 0.01), ("Save", rng.uniform(0.1, 0.4)),
                                 (None, 0.01)):
                begin, end = events_at[0], round(events_at[0] + length, 3)
                step = shape["step"] * rng.uniform(0.9, 1.1)
                while name == "Train" and events_at[0] < end:
                    own, q = step * (1 + rng.gauss(0, 0.03)), events_at[0]
                    until(min(end, q + 0.78 * own), high * (1 + rng.gauss(0, 0.02)))
                    if q + 0.78 * own < end:
                        until(min(end, q + own), comm)
                    if rng.random() < 0.03 and events_at[0] < end:
                        until(min(end, events_at[0] + rng.expovariate(1 / 0.6)), 1.3 * idle)
                if events_at[0] < end:
                    until(end, {"Load": load, "Save": load, "Eval": evaluate}.get(name, idle))
                if name:
                    parts.append((name, task, begin, end))
            last = events_at[0]
            events += parts + [("TotalRender", task, start, last)]
            until(round(last + rng.uniform(*shape["gap"]), 3), idle)
        t.append(events_at[0])
        watt.append(idle)
        return Load(t, watt, 0.012), events
    return make


def kernels(length, every=None):
    """Kernels of a length, with rests in no rhythm: as long as they, each `every` s, or, given two, after that many s of rest."""
    def make(rng, seconds):
        t, watt, events, x = [-100.0], [60.0], [], 3.0 + (rng.uniform(0, 3) if every else 0)
        while x + length < seconds - 3:
            a, b = round(x, 3), round(x + length, 3)
            t += [a, b]
            watt += [335.0 * rng.uniform(0.95, 1.05), 60.0]
            events.append(("Kernel", len(events), a, b))
            if every is None:
                x += length * rng.uniform(1.3, 3) + rng.uniform(0, 1)
            else:
                x += length + rng.uniform(*every) if isinstance(every, tuple) else every
        return Load(t, watt, 0.01), events
    return make


def log_of(rng, load, seconds, sensor, gain, offset):
    """(time, reading) of a sensor that is renewed each T with the mean over the last w, and polled."""
    period, window, poll = sensor["T"], sensor["w"], sensor.get("poll", 1.0)
    if "steps" in sensor:
        t = list(itertools.accumulate(rng.choice(sensor["steps"]) for _ in range(int(seconds / 0.2))))
    else:
        n, begin = int(seconds / poll), rng.uniform(0, poll)
        t = sorted(begin + poll * k + rng.uniform(-1, 1) * sensor.get("jitter", 0) for k in range(n))
    holes = [(a, a + h) for h in sensor.get("holes", ()) for a in [rng.uniform(5, seconds - h - 5)]]
    phase, last, rows = rng.uniform(0, period), None, []
    for x in t:
        renewed = math.floor((x - phase) / period)
        if x < 0 or x > seconds or rng.random() < sensor.get("lost", 0) or any(a <= x <= b for a, b in holes):
            continue
        if renewed != last:
            last, at = renewed, renewed * period + phase
            value = gain * load.between(at - window, at) / window + offset + rng.gauss(0, sensor.get("noise", 0.5))
        rows.append((math.floor(x) if sensor.get("whole") else round(x, 3), round(value, 2)))
    return rows


def shown(load, sensor, a, b):
    """What the readings of a whole log show: a value stays for a period, and is a mean over the window before it."""
    lags = [(sensor["T"] * (i + 0.5) + sensor["w"] * (j + 0.5)) / 8 for i in range(8) for j in range(8)]
    return statistics.fmean(load.between(a - lag, b - lag) for lag in lags)


class Cell:
    def __init__(self, name, load, seconds, sensor, windows, runs, gpus=1, options=(), known=True, bias=None):
        self.bias = bias                 # that sums of events may have, in %
        self.name, self.load, self.seconds, self.sensor, self.windows = name, load, seconds, sensor, windows
        self.runs, self.gpus, self.options, self.known = runs, gpus, options, known


def cells():
    for kind in ("exp", "gamma", "lopsided", "regular"):
        for dwell in (0.1, 0.3, 1, 3, 10, 100):
            yield Cell(f"switching {kind} {dwell} polls", switching(kind, dwell, 20), 303, {"T": 0.02, "w": 0.02, "jitter": 0.15, "noise": 0, "column": "power.draw.instant"},
                       (0.3, 1, 3, 10, 30), 40)
    for period, window, dwell in ((0.1, 0.025, 0.06), (0.1, 0.025, 1), (0.1, 0.1, 0.5), (0.1, 0.1, 0.06), (0.1, 1.0, 0.5)):
        yield Cell(f"sensor of {1000 * window:g} in {1000 * period:g} ms, load {dwell} s", switching("exp", dwell, 20), 60,
                   {"T": period, "w": window, "poll": 0.02, "jitter": 0.003, "noise": 0}, (0.1, 0.25, 0.5, 1, 2, 4), 20,
                   options=("--sensor", f"period={period}s,window={window}s,gain=1,offset=0"))
    for poll, dwell in ((2, 1), (5, 2), (15, 2), (15, 10), (30, 10), (60, 10)):
        yield Cell(f"log of {poll} s, load {dwell} s", switching("exp", dwell, 20), 1200, {"T": 0.1, "w": 0.1, "poll": poll, "jitter": 0.15 * poll, "noise": 0},
                   (4, 10, 30, 60, 300), 20)
    for dwell, holes, seconds in ((2, (30, 100, 300), 1200), (60, (30, 100, 300), 1200), (600, (7200,), 9000)):
        yield Cell(f"holes of {', '.join(map(str, holes))} s, load {dwell} s", switching("exp", dwell, 20), seconds,
                   {"T": 0.1, "w": 0.1, "jitter": 0.15, "noise": 0, "holes": holes}, (30, 300), 40)
    for name, shape, sensor in (
            ("1 s", SHORT, {"w": 0.1, "jitter": 0.05}),
            ("1 s, instant column", SHORT, {"w": 0.1, "jitter": 0.05, "column": "power.draw.instant"}),
            ("1 s, mean over 1 s, a tenth lost", SHORT, {"w": 1.0, "jitter": 0.3, "lost": 0.1}),
            ("1 s, mean over 1 s, known", SHORT, {"w": 1.0, "jitter": 0.05, "known": "window=1s"}),
            ("1 s, 25 of 100 ms", SHORT, {"w": 0.025, "jitter": 0.05}),
            ("0.1 s", SHORT, {"w": 0.1, "poll": 0.1, "jitter": 0.01}),
            ("0.1 s, mean over 1 s", SHORT, {"w": 1.0, "poll": 0.1, "jitter": 0.01}),
            ("0.02 s, 25 of 100 ms", SHORT, {"w": 0.025, "poll": 0.02, "jitter": 0.003, "known": "period=100ms,window=25ms"}),
            ("0.02 s, mean over 1 s", SHORT, {"w": 1.0, "poll": 0.02, "jitter": 0.003, "known": "period=100ms,window=1s"}),
            ("1 s, whole seconds", SHORT, {"w": 0.1, "whole": True}),
            ("0.2 to 5 s mixed", SHORT, {"w": 0.1, "steps": (0.2, 0.5, 1, 2, 5)}),
            ("1 s, three holes of 10 s", SHORT, {"w": 0.1, "jitter": 0.05, "holes": (10, 10, 10)}),
            ("5 s", SHORT, {"w": 0.1, "poll": 5, "jitter": 0.2}),
            ("5 s, mean over 1 s", SHORT, {"w": 1.0, "poll": 5, "jitter": 0.2}),
            ("15 s", SHORT, {"w": 0.1, "poll": 15, "jitter": 0.5}),
            ("5 s, long tasks", LONG, {"w": 0.1, "poll": 5, "jitter": 0.2}),
            ("15 s, long tasks", LONG, {"w": 0.1, "poll": 15, "jitter": 0.5}),
            ("30 s, long tasks", LONG, {"w": 0.1, "poll": 30, "jitter": 0.5}),
            ("DCGM 30 s scraped at 15 s", LONG, {"T": 30.0, "w": 0.1, "poll": 15, "jitter": 0.02, "lengths": (100,)}),
            ("DCGM 30 s scraped at 10 s", LONG, {"T": 30.0, "w": 0.1, "poll": 10, "jitter": 0.02, "lengths": (100,)}),
            ("DCGM 10 s scraped at 5 s", LONG, {"T": 10.0, "w": 0.1, "poll": 5, "jitter": 0.02, "lengths": (100,)})):
        known = "gain=1,offset=0" + ("," + sensor["known"] if "known" in sensor else "")
        poll, seconds = sensor.get("poll", 1.0), 190 if shape is SHORT else 1700
        yield Cell("training " + name, training(shape), seconds, {"T": 0.1, **sensor}, sensor.get("lengths", [n * poll for n in (0.3, 1, 3, 10)]),
                   40 if shape is SHORT else 12, 4, ("--sensor", known))
    for window, length, bias in ((0.001, 0.8, 10), (0.025, 0.8, 10), (0.1, 0.8, 10), (0.001, 2, 5), (0.1, 1, 10), (1, 2, 15)):
        yield Cell(f"kernels of {length} s, mean over {1000 * window:g} ms", kernels(length), 60,
                   {"T": 0.1 if window > 0.01 else 0.001, "w": window, "poll": 0.1, "jitter": 0.01}, (), 20, 2, bias=bias)
    for length in (0.2, 0.4, 0.8, 3, 8, 30):
        yield Cell(f"kernels of {length} s, their times cut to seconds", kernels(length), 300,
                   {"T": 0.02, "w": 0.02, "poll": 0.1, "jitter": 0.01, "column": "power.draw.instant", "cut": True}, (), 20, 2)
    for length in (0.3, 0.5, 1.5):
        yield Cell(f"kernels of {length} s, samples cut to seconds", kernels(length), 60, {"T": 0.1, "w": 1.0, "jitter": 0.05, "whole": True}, (), 20, 2)
    for cut in ("neither", "events", "samples", "both"):
        for length, every in ((0.2, (3, 8)), (0.5, (3, 8)), (0.5, (0.3, 1.3)), (0.5, 1.1), (1, 2), (2, 5), (3, 5)):
            where = f"each {every} s" if not isinstance(every, tuple) else "alone" if every[0] > 1 else "in no rhythm"
            yield Cell(f"kernels of {length} s, {where}, {cut} cut to seconds", kernels(length, every), 120,
                       {"T": 0.1, "w": 1.0, "poll": 0.1, "jitter": 0.01, "cut": cut in ("events", "both"), "whole": cut in ("samples", "both")}, (), 20, 2)
    yield Cell("switching in 10 s, times of windows cut to seconds", switching("exp", 10, 20), 303,
               {"T": 0.02, "w": 0.02, "poll": 0.1, "jitter": 0.01, "noise": 0, "column": "power.draw.instant", "cut": True}, (0.5, 5.3, 10.3), 40)
    yield Cell("training 1 s, cut to seconds between polls", training(SHORT), 190, {"T": 0.1, "w": 0.1, "jitter": 0.15, "whole": True},
               (1, 3, 10), 20, 4)
    for name, sensor in (("1 s", {"jitter": 0.05}), ("15 s", {"poll": 15, "jitter": 0.5}), ("0.02 s", {"poll": 0.02, "jitter": 0.003})):
        yield Cell("unknown card " + name, training(SHORT), 190, {"T": 0.1, "w": 0.1, **sensor}, (), 40, 4, (), False)


# (cell, groups) that section F excepts, with what is asked instead: switching in step with the polls; polls of several
# dwells with windows of five polls and more; holes over half of the log; events not longer than two polls.
EXCEPTED = (("switching regular 0.1 polls", ("window", "GPU"), 0.75), ("log of 60 s, load 10 s", ("window 300", "GPU"), 0.85),
            ("holes of 7200 s, load 600 s", ("window", "GPU"), 0.85), ("unknown card 15 s", ("sum of Train", "one gap"), 0.75))


def asked_of(cell, group):
    for name, groups, asked in EXCEPTED:
        if cell.name == name and group.startswith(groups):
            return asked
    return 0.88 if group.startswith(("one", "sum")) else 0.93


def simulate(cell, folder, rng):
    """Writes the files; returns {event or GPU: truth} and the runs' GPUs."""
    truth, gpus = {}, {}
    with open(os.path.join(folder, "samples.csv"), "w") as samples, open(os.path.join(folder, "events.csv"), "w") as events:
        samples.write(f"timestamp,host,gpu,{cell.sensor.get('column', 'power.draw')} [W]\n")
        events.write("event,start,stop,host,gpu,task\n")
        runs = cell.runs if WHOLE else max(cell.runs // 10, 3)
        for run in range(runs):
            model = rng.choice(MODELS)
            for k in range(cell.gpus):
                gpu, host = f"g{run}-{k}", f"h{run}"
                gain, offset = (1.0, 0.0) if cell.known else (model[0] + rng.gauss(0, 0.01), model[1] + rng.gauss(0, 3))
                load, own = cell.load(rng, cell.seconds)
                rows = log_of(rng, load, cell.seconds, cell.sensor, gain, offset)
                first, last = rows[0][0], rows[-1][0]
                gpus[gpu] = (run, last - first, shown(load, cell.sensor, first, last))
                samples.writelines(f"{show_time(START + t)},{host},{gpu},{v:.2f}\n" for t, v in rows)
                for length in cell.windows:
                    for j in range(6 if cell.gpus > 1 else 15):
                        a = round(rng.uniform(first + 1, last - length - 2), 3) if last - first > length + 4 else None
                        if a is not None:
                            own.append((f"window {length:g} s", j, a, round(a + length, 3)))
                for name, task, a, b in own:
                    truth[name, gpu, str(task)] = b - a, load.between(a, b)
                    if cell.sensor.get("cut"):           # the events' times, to seconds
                        a, b = math.floor(a), math.floor(b)
                    events.write(f"{name},{show_time(START + a)},{show_time(START + b)},{host},{gpu},{task}\n")
    return truth, gpus


def ask(program, cell, folder, *command):
    files = ["--samples", folder + "/samples.csv", "--events", folder + "/events.csv"]
    got = subprocess.run([program, *command, *files, *(cell.options or (("--sensor", "gain=1,offset=0") if cell.known else ())), "-q",
                          "-f", "csv"], capture_output=True, text=True, check=False)
    if got.returncode != 0:
        raise SystemExit(f"{cell.name}: {command}: exit {got.returncode}: {got.stderr}")
    return list(csv.DictReader(io.StringIO(got.stdout)))


def half_of(cell, energy, high, seconds):
    """Half of an interval, less what it has for a card of a gain known to 1 % and an offset known to 2 W."""
    half = high - energy
    return math.sqrt(max(half * half - 4 * ((0.01 * energy) ** 2 + (2 * seconds) ** 2), 0)) if cell.known else half


def judge(cell, rng, program, folder):
    """{group: [(held, half width in %, bias in %)]}, and the number of windows that got no interval."""
    truth, gpus = simulate(cell, folder, rng)
    groups, refused = {}, 0

    def add(group, energy, half, true, seconds):
        finest = 0.001 * true + 2 * cell.sensor.get("noise", 0.5) * math.sqrt(cell.sensor["T"] * seconds)   # rounding, noise
        groups.setdefault(group, []).append((abs(energy - true) <= half + finest, 100 * half / true, 100 * (energy / true - 1)))

    joined = {}
    for r in ask(program, cell, folder, "join", "--join", "window"):
        seconds, true = truth[r["event"], r["gpu_uuid"], r["task_id"]]
        group = r["event"] if r["event"].startswith("window") else "one " + r["event"]
        of_no_time = cell.sensor.get("cut") and not r["energy_j"]    # both ends within one second: a sum has these, too
        if r["energy_j"] or of_no_time:
            joined.setdefault((r["hostname"], r["event"]), []).append((seconds, true, float(r["energy_j"] or 0)))
        if r["energy_high_j"]:
            add(group, float(r["energy_j"]), half_of(cell, float(r["energy_j"]), float(r["energy_high_j"]), seconds), true, seconds)
        elif not of_no_time:
            refused += 1
    for r in ask(program, cell, folder, "events", "--join", "window", "--by", "host,event") if cell.gpus > 1 else ():
        own = joined.get((r["hostname"], r["event"]), [])
        if not own:
            continue
        energy = float(r["energy_sum_j"])
        check(f"{cell.name}: events {r['event']}: not the sum of join", abs(energy - sum(e for _, _, e in own)) <= 1e-9 * energy)
        if r["event"].startswith("window") or r["energy_high_j"] == "":
            continue
        seconds = sum(s for s, _, _ in own)
        add("sum of " + r["event"], energy, half_of(cell, energy, float(r["energy_high_j"]), seconds), sum(t for _, t, _ in own), seconds)
    totals = {}
    for r in ask(program, cell, folder, "gpus"):
        run, seconds, true = gpus[r["gpu_uuid"]]
        energy = float(r["energy_j"])
        half = half_of(cell, energy, float(r["energy_high_j"]), seconds)
        add("GPU", energy, half, true, seconds)
        totals.setdefault(run, []).append((energy, half, true, seconds))
    for own in totals.values() if cell.gpus > 1 and cell.known else ():
        energy, half, true, seconds = zip(*own)
        add("total", sum(energy), math.hypot(*half), sum(true), sum(seconds))
    return groups, refused, len(truth)


def main():
    program, only = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    for cell in cells():
        if not cell.name.startswith(only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            groups, refused, n_windows = judge(cell, random.Random(cell.name), program, folder)
        said = []
        for group, rows in groups.items():
            share = sum(held for held, _, _ in rows) / len(rows)
            asked = asked_of(cell, group)
            spare = 3 * math.sqrt(asked * (1 - asked) / len(rows)) if len(rows) < 200 else 0.0
            check(f"{cell.name}: {group}: {100 * share:.0f} % of {len(rows)} held, {100 * asked:.0f} asked", share >= asked - spare - 1e-9)
            bias = statistics.mean(b for _, _, b in rows)
            check(f"{cell.name}: {group}: {bias:+.1f} % off", cell.bias is None or not group.startswith("sum") or abs(bias) <= cell.bias)
            said.append(f"{group} {100 * share:.0f} ({statistics.median(h for _, h, _ in rows):.1f}; {statistics.mean(b for _, _, b in rows):+.1f})")
        check(f"{cell.name}: {refused} of {n_windows} windows have no interval", refused <= 0.05 * n_windows)
        print(f"{cell.name}: " + ", ".join(said), flush=True)
    return end()


if __name__ == "__main__":
    sys.exit(main())
