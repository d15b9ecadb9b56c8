#!/usr/bin/env python3
"""Holds what gpustat says of a whole run to the bare definitions, on random small runs.

  run_analyses.py PROGRAM [SEED [RUNS]]

bias, balance, timeline, schedule, tiles, clusters and stragglers, by the slowest and plainest way: every interval
between two instants is looked at by itself, every pair of task times is compared. The runs have overlapping and
nested events, duplicates, orphans, STOPs before their START, gaps, missing readings, samples at one instant, several
GPUs on a host and hosts without one; each result is asked for again with other threads and shuffled rows.
"""
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile
from argparse import Namespace
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import oracle  # noqa: E402

BASE = 1541662874 * 10**9
S, MS = 10**9, 10**6
IDLE = ("before the first event", "between events", "after the last event", "no event at all")
TOTAL = "TotalRender"


# ---- random runs ----

def make(rnd, gpu_column):
    """Three tables as lists of rows, header first."""
    tick = rnd.choice((S, S, MS, 1))
    unit = S // tick

    def moment():
        return rnd.randrange(60 * unit) * tick

    hosts = {"h%d" % i: ["h%dg%d" % (i, j) for j in range(rnd.choice((0, 1, 1, 1, 2, 3)))] for i in range(rnd.choice((5, 5, 9)))}
    hosts["h0"] = hosts["h0"] or ["h0g0"]
    samples, points = [], []
    kinds = rnd.random() < 0.5                        # two kinds of machine, told apart by their utilisation
    for host, gpus in hosts.items():
        for gpu in gpus:
            busy = rnd.choice((20, 90))
            t = moment() // 8
            for _ in range(rnd.randrange(1, 30)):
                values = ["" if rnd.random() < 0.08 else "%.*f" % (rnd.randrange(3), rnd.uniform(0, 120)) for _ in range(4)]
                if kinds:
                    values[2:] = ["%.2f" % rnd.uniform(busy - 5, busy + 5) for _ in range(2)]
                samples.append([t, host, "0" + gpu, gpu] + values)
                t += rnd.choice((0, 1, 2, 2, 2, 2, 3, 20)) * S + rnd.randrange(unit) * tick * (rnd.random() < 0.3)
    for i in range(rnd.choice((0, 20, 45))):
        host = rnd.choice(list(hosts))
        who = [rnd.choice(hosts[host] or ["none"])] if gpu_column else []
        task, job = "t%d" % rnd.randrange(14), "j%d" % (rnd.random() < 0.3)
        start, stop = sorted((moment(), moment() // 2 + 20 * S))
        for event in [TOTAL] + [e for e in ("A", "B, inner", "C") if rnd.random() < 0.4]:
            if rnd.random() < 0.06:
                start, stop = stop, start
            key = [host, event], [job, task] + who
            if rnd.random() < 0.97:
                points.append([start] + key[0] + ["START"] + key[1])
            if rnd.random() < 0.97:
                points.append([stop] + key[0] + ["STOP"] + key[1])
            start, stop = sorted((start + (stop - start) // rnd.randrange(2, 9) // tick * tick, stop))
    points += [list(p) for p in points if rnd.random() < 0.03]
    points.append([0, "h0", TOTAL, "START", "j0", "t0"] + ([hosts["h0"][0]] if gpu_column else []))
    points.append([9 * S, "h0", TOTAL, "STOP", "j0", "t0"] + ([hosts["h0"][0]] if gpu_column else []))
    tasks = [["t%d" % i, "j%d" % j, i // 2, i % 2 * 3, 4 + 4 * (i % 3)] for i in range(12) for j in range(2)]
    header = "timestamp,hostname,eventName,eventType,jobId,taskId" + (",gpuUUID" if gpu_column else "")
    return {"gpu.csv": ("timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc", samples),
            "application-checkpoints.csv": (header, points), "task-x-y.csv": ("taskId,jobId,x,y,level", tasks)}


def write(directory, tables, rnd):
    for name, (header, rows) in tables.items():
        rows = list(rows)
        rnd.shuffle(rows)
        with open(os.path.join(directory, name), "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(header.split(","))
            w.writerows(r if name[0] == "t" else [oracle.time_text(BASE + r[0])] + r[1:] for r in rows)


class Run:
    """The program on one run, asked twice."""

    def __init__(self, program, rnd, gpu_column):
        self.program = program
        self.spaces = [tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()]
        tables = make(rnd, gpu_column)
        for space in self.spaces:
            write(space.name, tables, rnd)
        self.opt = Namespace(join="nearest", ties="earlier", tolerance=None, max_gap=None, event=None)
        self.data = oracle.Dataset(self.spaces[0].name, True)
        for g in self.data.gpus.values():
            g.prepare_window()

    def ask(self, *args):
        """Rows as dictionaries, or None where it failed with bad data."""
        said = []
        for space, threads in ((self.spaces[0], 1), (self.spaces[1], 3), (self.spaces[0], 2)):
            p = subprocess.run([self.program, args[0], space.name, *args[1:], "-q", "-f", "csv", "-j%d" % threads],
                               capture_output=True, text=True, check=False)
            assert p.returncode in (0, 65), (args, p.returncode, p.stderr)
            said.append((p.returncode, p.stdout))
        assert said[0] == said[1] == said[2], (args, "the bytes depend on threads or the order of rows")
        return None if said[0][0] else list(csv.DictReader(io.StringIO(said[0][1])))

    def total_pairs(self):
        return [p for p in self.data.pairs if p[3] == TOTAL]


# ---- comparing ----

def close(got, want, what, absolute=2e-13):
    if want is None or got == "":
        assert want is None and got == "", (what, got, want)
        return
    assert abs(Fraction(float(got)) - Fraction(want)) <= Fraction(1, 10**12) * abs(Fraction(want)) + Fraction(absolute), \
        (what, got, float(want))


def same(row, what, **wanted):
    for column, want in wanted.items():
        if isinstance(want, str):
            assert row[column] == want, (what, column, row[column], want)
        else:
            close(row[column], want, (what, column))


def share(part, whole):
    return None if not whole else Fraction(100 * part) / Fraction(whole)


# ---- the curve, segment by segment ----

def energy(gpu, left, right):
    """Joules, and their ns, of one GPU within [left, right] on its log's clock; every gap is bridged."""
    joules, time = Fraction(0), 0
    for (t1, p1), (t2, p2) in zip(gpu.curve, gpu.curve[1:]):
        a, b = max(left, t1), min(right, t2)
        if b > a:
            joules += (Fraction(p1) + Fraction((p2 - p1) * (a + b - 2 * t1), 2 * (t2 - t1))) * (b - a) / 10**15
            time += b - a
    return joules, time


def pairs_of(data, gpu):
    return [p for p in data.pairs if gpu in data.gpus_of(p) and p[6] > p[5]]


# ---- balance ----

def by_time(data):
    """Event names, the one that takes the least time over the run first: the order of rows from below."""
    time = {}
    for p in data.pairs:
        time[p[3]] = time.get(p[3], 0) + max(0, p[6] - p[5])
    return sorted(time, key=lambda e: (time[e], e.encode()))


class Part:
    def __init__(self):
        self.energy, self.covered, self.span, self.inclusive, self.inside = Fraction(0), 0, 0, Fraction(0), {}


def share_ids(data, gpu, group_of):
    """Pairs of names of which at least half of the tasks of either are tasks of both, on the GPU's host."""
    tasks = {}
    for p in data.pairs:
        if p[0] == gpu.key[0] and p[2]:
            tasks.setdefault((p[3], group_of(p)), set()).add(p[2])
    return {(a, b) for a, x in tasks.items() for b, y in tasks.items() if a != b and x & y and 2 * len(x & y) >= max(len(x), len(y))}


def is_part(a, b, slot, shared):
    """Is a inside b, of another name, job and task? Of equal spans the first name is inside."""
    apart = a[1] and b[1] and a[1] != b[1] or a[2] and b[2] and a[2] != b[2] and (slot(a), slot(b)) in shared
    return a[3] != b[3] and not apart and b[5] <= a[5] and b[6] >= a[6] and (b[5:7] != a[5:7] or a[3].encode() < b[3].encode())


def portion(whole, n, k):
    """Part k of n equal ones of a whole number of ns; together they are the whole."""
    return whole * (k + 1) // n - whole * k // n


def divide(run, gpu, group_of):
    """{(group, part name): Part} of one GPU, interval by interval; what runs and has no running part shares it."""
    data = run.data
    known = gpu.curve_t
    parts = {}
    if not known:
        return parts
    its = [p[:5] + (gpu.on_log(p[5]), gpu.on_log(p[6])) for p in pairs_of(data, gpu)]     # on the log's clock
    cuts = sorted({known[0], known[-1]} | {t for p in its for t in p[5:7] if known[0] < t < known[-1]})
    shared = share_ids(data, gpu, group_of)

    def slot(p):
        return p[3], group_of(p)

    stretch = [(), 0, 0]            # the parts that share it, its joules and the time that is known

    def flush():
        names, joules, covered = stretch
        for k, name in enumerate(names):
            part = parts.setdefault(name, Part())
            part.energy += Fraction(joules) / len(names)
            part.covered += portion(covered, len(names), k)

    for a, b in zip(cuts, cuts[1:]):
        running = sorted((p for p in its if p[5] <= a and p[6] >= b), key=lambda p: (
            p[6] - p[5], -p[5], p[3].encode(), group_of(p) is None, group_of(p) or 0))   # the shortest is the innermost
        joules, covered = energy(gpu, a, b)
        holders = sorted((p for p in running if not any(is_part(q, p, slot, shared) for q in running)),
                         key=lambda p: (p[3].encode(), group_of(p) is None, group_of(p) or 0))
        if len({slot(p) for p in holders}) == 1:
            holders = [next(p for p in running if p in holders)]
        names = [(group_of(p), p[3]) for p in holders]
        if not running:
            names = [(None, IDLE[3 if not its else 0 if all(p[5] >= b for p in its) else 2 if all(p[6] <= a for p in its) else 1])]
        if names != stretch[0]:
            flush()
            stretch[:] = [names, 0, 0]
        stretch[1] += joules
        stretch[2] += covered
        for k, name in enumerate(names):
            parts.setdefault(name, Part()).span += Fraction(b - a, len(names))
        for h in holders:
            around = [p for p in running if is_part(h, p, slot, shared)]
            if around:
                part = parts[group_of(h), h[3]]
                part.inside[around[0][3]] = part.inside.get(around[0][3], 0) + Fraction(b - a, len(names))
        for which in {(group_of(p), p[3]) for p in running}:
            parts.setdefault(which, Part()).inclusive += joules
        if not running:
            parts[names[0]].inclusive += joules
    flush()
    return parts


def add_up(many):
    out = {}
    for parts in many:
        for name, p in parts.items():
            q = out.setdefault(name, Part())
            q.energy, q.covered, q.span, q.inclusive = (q.energy + p.energy, q.covered + p.covered, q.span + p.span,
                                                        q.inclusive + p.inclusive)
            for outer, ns in p.inside.items():
                q.inside[outer] = q.inside.get(outer, 0) + ns
    return out


def check_parts(rows, parts, order, key):
    """Rows of one balance; `key` tells a row's group."""
    whole, covered = sum(p.energy for p in parts.values()), sum(p.covered for p in parts.values())

    def known(joules):  # of a GPU without power nothing is zero
        return joules if covered else None
    listed = {(key(r), r["part"]): r for r in rows if r["state"] != "total"}
    assert len(listed) == sum(r["state"] != "total" for r in rows)
    wanted = {name: p for name, p in parts.items() if p.span or p.inclusive}
    assert set(listed) == set(wanted), (sorted(map(str, listed)), sorted(map(str, wanted)))
    for name, p in wanted.items():
        r = listed[name]
        assert r["state"] == ("idle" if name[1] in IDLE else "task")
        same(r, name, energy_j=known(p.energy), energy_pct=share(p.energy, whole), time_s=Fraction(p.covered, S),
             time_pct=share(p.covered, covered), energy_with_inner_j=known(p.inclusive),
             power_mean_w=p.energy * S / p.covered if p.covered else None)
        close(r["unseen_s"], Fraction(p.span - p.covered) / S, (name, "unseen_s"), 1e-7)  # shares are of whole ns
        outer = sorted(p.inside.items(), key=lambda i: (-i[1], order.index(i[0])))
        assert r["inside"] == (outer[0][0] if outer else ""), (name, r["inside"], outer)
    totals = {r["part"]: r for r in rows if r["state"] == "total"}
    idle = [p for name, p in parts.items() if name[1] in IDLE]
    same(totals["all"], "all", energy_j=known(whole), time_s=Fraction(covered, S))
    same(totals["idle"], "idle", energy_j=known(sum(p.energy for p in idle)))
    printed = sum(Fraction(float(r["energy_j"] or 0)) for r in rows if r["state"] != "total")
    said = Fraction(float(totals["all"]["energy_j"] or 0))
    assert abs(printed - said) < Fraction(1, 10**6), "does not close"
    return said


def check_balance(run):
    data, names = run.data, by_time(run.data)
    by_run = add_up(divide(run, g, lambda p: None) for g in data.gpus.values())
    integral = sum(energy(g, -2**63, 2**63)[0] for g in data.gpus.values())
    total = check_parts(run.ask("balance"), by_run, names, lambda r: None)
    close(total, integral, "the total is the integral over all samples")
    rows = run.ask("balance", "--by", "gpu")
    sums = Fraction(0)
    for g in data.gpus.values():
        mine = [r for r in rows if (r["hostname"], r["gpu_serial"], r["gpu_uuid"]) == g.key]
        parts = divide(run, g, lambda p: None)
        order_of_run = {name: p.inside for name, p in by_run.items()}
        for name, p in parts.items():
            p.inside = order_of_run[name]          # "inside" is told of the whole run
        sums += check_parts(mine, parts, names, lambda r: None)
    assert abs(sums - total) < Fraction(1, 10**6), "the GPUs do not add up to the run"
    by_level = add_up(divide(run, g, lambda p: data.tasks.get((p[2], p[1]), (None,))[0]) for g in data.gpus.values())
    rows = run.ask("balance", "--by", "level")
    assert abs(check_parts(rows, by_level, names, lambda r: int(r["level"]) if r["level"] else None) - total) < 1e-6
    for r in rows:
        if r["state"] == "total" and r["part"] == "level":
            same(r, "level", energy_j=sum(p.energy for (g, _), p in by_level.items() if str(g) == r["level"]))


# ---- bias ----

def check_bias(run):
    data = run.data
    rows = {r["event"]: r for r in run.ask("bias")}
    assert list(rows) == sorted({p[3] for p in data.pairs}, key=str.encode)
    for event, row in rows.items():
        its = [p for p in data.pairs if p[3] == event]
        ends = [oracle.pair_as_of(data, p, run.opt) for p in its]
        windows = [oracle.Window(data, p) for p in its]
        sampled = sum(w.n_samples > 0 for w in windows)
        same(row, event, n=len(its), n_sampled=sampled, no_sample_pct=share(len(its) - sampled, len(its)))
        for m, (name, unit) in enumerate((("power", "w"), ("temp", "c"), ("gpu_util", "pct"), ("mem_util", "pct"))):
            a = [None if e[m] is None else Fraction(*e[m]) / 10**6 for e in ends]
            b = [None if w.metrics[m] is None else Fraction(*w.metrics[m]) / 10**6 for w in windows]
            both = [x - y for x, y in zip(a, b) if x is not None and y is not None]
            for how, values in (("nearest", a), ("window", b), ("bias", both)):
                values = [v for v in values if v is not None]
                close(row["%s_%s_%s" % (name, how, unit)], sum(values) / len(values) if values else None,
                      (event, name, how))


# ---- timeline ----

def check_timeline(run, every):
    data = run.data
    rows = run.ask("timeline", "--every", "%dns" % every)
    instants = [t for g in data.gpus.values() for t in g.times] + [c[6] for c in data.checkpoints]
    first, last = min(instants) // every, max(instants) // every
    assert [oracle.parse_time(r["time"]) for r in rows] == [k * every for k in range(first, last + 1)]
    totals = run.total_pairs()
    for k, row in enumerate(rows, first):
        a, b = k * every, (k + 1) * every
        its = [s for g in data.gpus.values() for s in g.samples if a <= s[0] < b]
        # A step is looked at later; a log's first one has what was before it, the last one what is left.
        of = [g for g in data.gpus.values() if g.curve and g.times[0] // every <= k <= g.times[-1] // every]
        parts = [energy(g, -2**63 if k == g.times[0] // every else a + g.shift,
                        2**63 if k == g.times[-1] // every else b + g.shift) for g in of]
        joules, covered = sum(p[0] for p in parts), sum(p[1] for p in parts)
        # When each is logged, on the clock of the events: no gap is left out here, so it is as long as its energy.
        logged = [(max(g.curve_t[0] - g.shift, -2**63 if k == g.times[0] // every else a), p[1]) for g, p in zip(of, parts) if p[1]]
        length = max(x + n for x, n in logged) - min(x for x, _ in logged) if logged else 1
        same(row, ("step", k), samples=len(its), energy_j=joules if covered else None, gpus_seen=Fraction(covered, length),
             fleet_power_w=joules * S / length if covered else None,
             active_tasks=Fraction(sum(max(0, min(b, p[6]) - max(a, p[5])) for p in totals), every),
             started_tasks=sum(a <= p[5] < b for p in totals), finished_tasks=sum(a <= p[6] < b for p in totals),
             tasks_per_s=Fraction(sum(a <= p[6] < b for p in totals) * S, every))
        for m, column in enumerate(("power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct"), 1):
            known = [s[m] for s in its if s[m] is not None]
            close(row[column], Fraction(sum(known), len(known) * MS) if known else None, (k, column))
        known = [s[2] for s in its if s[2] is not None]
        close(row["temp_max_c"], Fraction(max(known), MS) if known else None, (k, "temp_max_c"))


# ---- schedule ----

def union(spans):
    cuts = sorted({t for s in spans for t in s})
    return sum(b - a for a, b in zip(cuts, cuts[1:]) if any(x <= a and b <= y for x, y in spans))


def gaps_of(spans):
    spans = sorted(spans)
    return [max(0, spans[i][0] - max(y for _, y in spans[:i])) for i in range(1, len(spans))]


def quantile(values, p):
    return Fraction(oracle.quantile(sorted(values), Fraction(p))) if values else None


def seconds(value):
    return None if value is None else Fraction(value) / S


def workers(run, job):
    """{(host, gpu or None): spans}."""
    out = {}
    for p in run.total_pairs():
        if p[6] >= p[5] and job in (None, p[1]):
            named = run.data.gpu_column and run.data.gpus_of(p)
            out.setdefault((p[0], p[4] if named else None), []).append((p[5], p[6]))
    return out


def check_schedule(run):
    n_gpus = {h: max(1, len(g)) for h, g in run.data.by_host.items()}
    rows = run.ask("schedule")
    jobs = sorted({p[1] for p in run.total_pairs() if p[6] >= p[5]}, key=str.encode)
    assert [r["job_id"] for r in rows] == jobs + [""]
    for row, job in zip(rows, jobs + [None]):
        its = workers(run, job)
        spans = [s for w in its.values() for s in w]
        width = {w: 1 if w[1] else n_gpus.get(w[0], 1) for w in its}
        first, last = min(s[0] for s in spans), max(s[1] for s in spans)
        ends = {w: max(s[1] for s in its[w]) for w in its}
        gaps = [g for w in its.values() for g in gaps_of(w)]
        counts = [len(w) for w in its.values()]
        same(row, ("job", job), tasks=len(spans), workers=len(its), gpus=sum(width.values()),
             makespan_s=seconds(last - first), tasks_per_s=Fraction(len(spans) * S, last - first) if last > first else None,
             tasks_per_worker_min=min(counts), tasks_per_worker_max=max(counts), tasks_per_worker_p50=quantile(counts, .5),
             busy_pct=share(sum(union(w) for w in its.values()), len(its) * (last - first)), gaps=len(gaps),
             gap_p50_s=seconds(quantile(gaps, .5)), gap_p95_s=seconds(quantile(gaps, Fraction(95, 100))),
             gap_max_s=seconds(max(gaps) if gaps else None), tail_s=seconds(last - min(ends.values())),
             gap_lost_gpu_h=seconds(sum(sum(gaps_of(its[w])) * width[w] for w in its)) / 3600,
             tail_lost_gpu_h=seconds(sum((last - ends[w]) * width[w] for w in its)) / 3600)
        assert [oracle.parse_time(row[c]) for c in ("first_start", "last_stop")] == [first, last]
    rows = run.ask("schedule", "--by", "host")
    order = sorted(its, key=lambda w: (w[0].encode(), w[1] is None, w[1]))
    assert [r["hostname"] for r in rows] == [w[0] for w in order]
    for row, w in zip(rows, order):
        spans, gaps = its[w], gaps_of(its[w])
        same(row, w, gpus=width[w], tasks=len(spans), busy_s=seconds(union(spans)), busy_pct=share(union(spans), last - first),
             gap_sum_s=seconds(sum(gaps)), gap_p50_s=seconds(quantile(gaps, .5)),
             gap_max_s=seconds(max(gaps) if gaps else None), lead_s=seconds(min(s[0] for s in spans) - first),
             tail_s=seconds(last - ends[w]))


# ---- populations ----

def one_silhouette(points, labels, i):
    """Of one point, and the cluster that is nearest of the others."""
    mean = {}
    for k in sorted(set(labels)):
        others = [math.dist(points[i], b) for j, b in enumerate(points) if labels[j] == k and j != i]
        mean[k] = sum(others) / len(others) if others else None
    own = mean.pop(labels[i])
    near = min(mean, key=mean.get)
    if own is None or not max(own, mean[near]):
        return 0.0, near
    return (mean[near] - own) / max(own, mean[near]), near


def silhouette(points, labels):
    return sum(one_silhouette(points, labels, i)[0] for i in range(len(points))) / len(points)


class Unit:
    """A GPU, or all GPUs of a host of which some task names none."""

    def __init__(self, run, gpus):
        self.gpus = gpus
        self.key = gpus[0].key if len(gpus) == 1 else (gpus[0].key[0], "", "")
        self.samples = [s for g in gpus for s in g.samples]
        self.pairs = [p for p in run.total_pairs() if any(g in run.data.gpus_of(p) for g in gpus)]
        self.tasks = [p[6] - p[5] for p in self.pairs]

    def mean(self, m):
        known = [s[m] for s in self.samples if s[m] is not None]
        return Fraction(sum(known), len(known) * MS) if known else None

    def task_s(self):
        return Fraction(sum(self.tasks), len(self.tasks) * S) if self.tasks else None

    def task_power_w(self):
        """The mean power of the samples inside its tasks, once for each task."""
        inside = [s[1] for p in self.pairs for g in self.gpus if g in run_gpus(p, self) for s in g.samples
                  if p[5] <= s[0] <= p[6] and s[1] is not None]
        return Fraction(sum(inside), len(inside) * MS) if inside else None


def run_gpus(pair, unit):
    return [g for g in unit.gpus if pair[4] in (None, "") or pair[4] in g.key]


def units(run):
    by_host = {}
    for g in run.data.gpus.values():
        by_host.setdefault(g.key[0], []).append(g)
    found = []
    for gpus in by_host.values():
        shared = len(gpus) > 1 and any(len(run.data.gpus_of(p)) > 1 for p in run.total_pairs() if p[0] == gpus[0].key[0])
        found += [Unit(run, sorted(gpus, key=lambda g: oracle.encoded(g.key)))] if shared else [Unit(run, [g]) for g in gpus]
    return sorted(found, key=lambda u: oracle.encoded(u.gpus[0].key))


def few(some, n):
    return some < 3 or 10 * some < n


def set_aside(points):
    out = [False] * len(points)
    for column in zip(*points):
        low, high = quantile([Fraction(v) for v in column], .25), quantile([Fraction(v) for v in column], .75)
        out = [o or v < low - 3 * (high - low) or v > high + 3 * (high - low) for o, v in zip(out, column)]
    return out if few(sum(out), len(out)) else [False] * len(points)


def centres(points, labels):
    return {k: [sum(c) / labels.count(k) for c in zip(*[p for p, own in zip(points, labels) if own == k])]
            for k in sorted(set(labels))}


def deviation(values):
    m = sum(values) / len(values)
    return math.sqrt(sum((v - m) ** 2 for v in values) / (len(values) - 1))


def acceptable(points, labels, n, widths):
    """Of the core's standardised points: does each rule hold? None: too close to one to tell in floating point. `widths`
    are the deviations that one stands for, in points of utilisation."""
    if len(set(labels)) < 2 or any(few(labels.count(k), n) for k in set(labels)) or min(widths) < 0.25:
        return False
    s, middle, margin = silhouette(points, labels), centres(points, labels), []
    margin.append(s - 0.6)
    for a in middle:
        for b in middle:
            if a < b:
                line = [y - x for x, y in zip(middle[a], middle[b])]
                length = math.sqrt(sum(v * v for v in line))
                least = math.sqrt(sum((v / length * 0.25 / w) ** 2 for v, w in zip(line, widths)))
                spread = sum(max(least, deviation([sum(x * v for x, v in zip(p, line)) / length
                                                   for p, own in zip(points, labels) if own == k])) for k in (a, b))
                margin.append(length - max(2, 1.9 + 21 / (labels.count(a) + labels.count(b))) * spread)
                margin.append(max(abs(v) * w for v, w in zip(line, widths)) - 2)
    return None if min(abs(m) for m in margin) < 1e-9 else min(margin) > 0


def best_pair(points):
    """Of all divisions in two the one with the least sum of squares."""
    def inertia(labels):
        middle = centres(points, labels)
        return sum((x - y) ** 2 for p, own in zip(points, labels) for x, y in zip(p, middle[own]))
    every = ([(i >> j) & 1 for j in range(len(points))] for i in range(1, 2 ** (len(points) - 1)))
    return min((e for e in every if 3 <= sum(e) <= len(points) - 3), key=inertia)


def standardised(every, axes):
    """The units that have the axes, their standardised points, those of the core and its deviations."""
    complete = [u for u in every if axes and None not in [u.mean(m) for m in axes]]
    raw = [[u.mean(m) for m in axes] for u in complete]
    aside = set_aside(raw) if raw else []
    core = [p for p, out in zip(raw, aside) if not out]
    if len(core) < 2:
        return complete, [], aside, []
    widths = [deviation([float(v) for v in c]) for c in zip(*core)]
    means = [float(sum(c) / len(c)) for c in zip(*core)]
    return complete, [[(float(v) - m) / sd if sd else 0.0 for v, m, sd in zip(p, means, widths)] for p in raw], aside, widths


def check_clusters(run):
    """The units and their clusters: by the rules, of which every one is looked at by itself."""
    every = units(run)
    members, rows = run.ask("clusters", "--by", "gpu"), run.ask("clusters")
    assert [tuple(r[c] for c in ("hostname", "gpu_serial", "gpu_uuid")) for r in members] == [u.key for u in every]
    used = [m for m in (3, 4) if any(u.mean(m) is not None for u in every)]
    axes = [m for m in used if {3: "gpu_util_pct", 4: "mem_util_pct"}[m] in rows[0]["axes"].split("+")]
    cluster = {}
    for row, u in zip(members, every):
        same(row, u.key, gpu_util_mean_pct=u.mean(3), mem_util_mean_pct=u.mean(4), task_mean_s=u.task_s(),
             tasks=len(u.tasks))
        assert (row["cluster"] == "") == (len(rows) > 1 and None in [u.mean(m) for m in axes])
        cluster[u.key] = row["cluster"]
    assert set(cluster.values()) - {""} == {r["cluster"] for r in rows}
    assert (len(rows) > 1) == bool(axes)
    for m in used if len(rows) == 1 else []:
        complete, points, aside, widths = standardised(every, [m])
        inner = [p for p, out in zip(points, aside) if not out]
        if 6 <= len(inner) <= 11 and len({tuple(p) for p in inner}) > 1:
            assert not acceptable(inner, best_pair(inner), len(points), widths), "two populations were overlooked"
    if axes:
        complete, points, aside, widths = standardised(every, axes)
        labels = [cluster[u.key] for u in complete]
        its = [own for own, out in zip(labels, aside) if not out]
        inner = [p for p, out in zip(points, aside) if not out]
        assert acceptable(inner, its, len(points), widths) is not False, "populations that the rules refuse"
        middle = centres(inner, its)
        for p, own, out in zip(points, labels, aside):
            d = {k: sum((x - y) ** 2 for x, y in zip(p, c)) for k, c in middle.items()}
            assert d[own] <= min(d.values()) + 1e-9 or len(axes) == 1 and not out, "nearer to another cluster's centre"
        run.silhouette = {u.key: one_silhouette(points, labels, i) for i, u in enumerate(complete)}
        for r in members:
            close(r["silhouette"], run.silhouette.get(key_of(r), (None,))[0], "silhouette", 1e-9)
        close(rows[0]["silhouette"], sum(v[0] for v in run.silhouette.values()) / len(complete), "mean silhouette", 1e-9)
    for row in rows:
        mine = [u for u in every if cluster[u.key] == row["cluster"]]
        same(row, ("cluster", row["cluster"]), gpus=sum(len(u.gpus) for u in mine))
        for value, name in ((lambda u: u.mean(3), "gpu_util_%s_pct"), (lambda u: u.mean(4), "mem_util_%s_pct"),
                            (Unit.task_s, "task_%s_s")):
            column = [value(u) for u in mine if value(u) is not None]
            same(row, row["cluster"], **{name % "mean": sum(column) / len(column) if column else None,
                                         name % "min": min(column, default=None), name % "max": max(column, default=None)})
        same(row, row["cluster"], task_median_s=quantile(column, .5) if column else None)
    assert [r["cluster"] for r in rows] == [str(k + 1) for k in range(len(rows))]
    run.units = every
    return cluster


def p_greater(a, b):
    """The one-sided p of a being longer: of few values by counting, ties against a; else normal."""
    n = len(a) + len(b)
    if len(a) <= 12 or (n <= 60 and len(set(a + b)) == n):
        ways = {0: {0: 1}}                            # taken -> {U: ways}, one value after another
        for i in range(n):
            new = {k: dict(v) for k, v in ways.items()}
            for taken, sums in ways.items():
                if taken < len(a):
                    into = new.setdefault(taken + 1, {})
                    for u, w in sums.items():
                        into[u + i - taken] = into.get(u + i - taken, 0) + w
            ways = new
        all_ways, least = ways[len(a)], sum(x > y for x in a for y in b)
        return Fraction(sum(w for u, w in all_ways.items() if u >= least), sum(all_ways.values()))
    both = a + b
    ties = sum(c**3 - c for c in (both.count(v) for v in set(both)))
    var = len(a) * len(b) / 12 * (n + 1 - ties / (n * (n - 1)))
    d = (sum(2 * (x > y) + (x == y) for x in a for y in b) - len(a) * len(b)) / 2
    return 0.5 * math.erfc((d - 0.5) / math.sqrt(var) / math.sqrt(2)) if var > 0 else None


def mad(values):
    centre = quantile(values, .5)
    return centre, quantile([abs(v - centre) for v in values], .5)


def adjusted(p):
    """Benjamini and Hochberg."""
    known = sorted((v, k) for k, v in p.items())
    q, least = {}, 1.0
    for i in range(len(known), 0, -1):
        least = min(least, float(known[i - 1][0]) * len(known) / i)
        q[known[i - 1][1]] = least
    return q


def comparable(run, cluster, k, unit):
    """A unit's times as those of cluster k, each over the median of its level there."""
    def level(pair):
        return run.data.tasks.get((pair[2], pair[1]), (None,))[0]
    by_level = {}
    for u in run.units:
        for p, ns in zip(u.pairs, u.tasks):
            if cluster[u.key] == k:
                by_level.setdefault(level(p), []).append(float(ns))
    median = {}
    for v, times in by_level.items():
        times.sort()
        h = len(times) // 2
        median[v] = times[h] if len(times) % 2 else times[h - 1] + (times[h] - times[h - 1]) / 2
    return [float(ns) / median[level(p)] for p, ns in zip(unit.pairs, unit.tasks) if median.get(level(p), 0) > 0]


def middle(values):
    values = sorted(values)
    h = len(values) // 2
    return values[h] if len(values) % 2 else values[h - 1] + (values[h] - values[h - 1]) / 2


def hold(run, cluster, k, unit, least):
    """Slowdown, superiority and p of a unit against the others of cluster k."""
    own = comparable(run, cluster, k, unit)
    rest = [t for u in run.units if u is not unit and cluster[u.key] == k for t in comparable(run, cluster, k, u)]
    if not own or not rest:
        return None, None, None
    slower = middle(own) / middle(rest) - 1 if middle(rest) > 0 else None
    superiority = Fraction(sum(2 * (x > y) + (x == y) for x in own for y in rest), 2 * len(own) * len(rest))
    return slower, superiority, p_greater([t / (1 + least) for t in own], rest)


def likely_kinds(run, rows, cluster):
    """The groups that stragglers holds GPUs against where too few of them show as populations, on the axes that fit."""
    shown = {key_of(r): r for r in rows}
    if not any(shown[u.key]["silhouette"] for u in run.units) or hasattr(run, "silhouette"):
        return cluster
    for axes in ([3], [4], [3, 4]):
        complete, points, _, _ = standardised(run.units, axes)
        labels = [shown[u.key]["cluster"] for u in complete]
        if len(set(labels)) < 2 or not points:
            continue
        values = {u.key: one_silhouette(points, labels, i) for i, u in enumerate(complete)}
        if all(abs(float(shown[k]["silhouette"] or "nan") - v[0]) < 1e-9 for k, v in values.items()):
            run.silhouette = values
            return {k: r["cluster"] for k, r in shown.items()}
    raise AssertionError("groups on no axis")


def check_stragglers(run, cluster, hot, least, fdr):
    args = ["stragglers", "--hot", str(hot), "--fdr", str(fdr), "--least", str(least)]
    rows = run.ask(*args, "--all")
    cluster = likely_kinds(run, rows, cluster)
    found, p, second = {}, {}, {}
    for u in run.units:
        found[u.key] = hold(run, cluster, cluster[u.key], u, least) if cluster[u.key] else (None, None, None)
        p[u.key] = found[u.key][2]
        s, near = getattr(run, "silhouette", {}).get(u.key, (1, None))
        if abs(s - 0.4) < 1e-9:
            return
        if s < 0.4:
            second[u.key] = (near,) + hold(run, cluster, near, u, least)
            other = second[u.key][3]
            p[u.key] = None if p[u.key] is None or other is None else max(p[u.key], other)
    q = adjusted({k: v for k, v in p.items() if v is not None})
    listed, of_hosts = rows, {g.key: g for u in run.units if len(u.gpus) > 1 for g in u.gpus}
    check_gpus_of_hosts([r for r in rows if key_of(r) in of_hosts], of_hosts, hot)
    rows = [r for r in rows if key_of(r) not in of_hosts]
    assert len(rows) == len(run.units)
    slow, nearest, effect = set(), set(), {}
    for u in run.units:
        both = [found[u.key][0]] + ([second[u.key][1]] if u.key in second else [])
        effect[u.key] = None if None in both[:1] else min(v for v in both if v is not None)
        if u.key in q and None not in both and all(v >= least for v in both) and q[u.key] < fdr:
            slow.add(u.key)
        temps = [s[2] for s in u.samples if s[2] is not None]
        u.hot = Fraction(100 * sum(t >= hot * MS for t in temps), len(temps)) if temps else None
    if not slow:
        near = [u for u in run.units if not (u.hot and len(u.gpus) == 1) and p[u.key] is not None and effect[u.key] is not None and
                effect[u.key] > 0]
        nearest = {u.key for u in sorted(near, key=lambda u: -effect[u.key])[:5]}
    for row in rows:
        k = key_of(row)
        u = next(u for u in run.units if u.key == k)
        own, spread = mad(u.tasks) if u.tasks else (None, None)
        peers = [o for o in run.units if cluster[k] and cluster[o.key] == cluster[k] and o.tasks]
        pool = quantile([d for o in peers for d in o.tasks], .5) if u.tasks and peers else None
        slower = found[k][0]
        power = u.task_power_w()
        cost = None
        if slower is not None and slower > -1:
            cost = sum(u.tasks) / S * len(u.gpus) * (1 - 1 / (1 + slower))
        same(row, k, tasks=len(u.tasks), task_median_s=seconds(own), cluster_median_s=seconds(pool), hot_pct=u.hot)
        for column, value in (("superiority", found[k][1]), ("slowdown_pct", None if slower is None else 100 * slower),
                              ("cost_gpu_s", cost), ("p_value", p[k]), ("q_value", q.get(k)),
                              ("cost_wh", None if cost is None or power is None else cost * float(power) / 3600),
                              ("silhouette", getattr(run, "silhouette", {}).get(k, (None,))[0]),
                              ("second_slowdown_pct", None if second.get(k, (0, None))[1] is None else 100 * second[k][1])):
            close(row[column], value, (k, column), 1e-9)
        assert row["second_cluster"] == (second[k][0] if k in second else "")
        assert row["cluster"] == cluster[k]
        if spread is not None:
            close(row["task_scale_s"], seconds(spread) * Fraction(1.4826022185056018), (k, "scale"))
        if pool is not None:
            centre, width = mad([quantile(o.tasks, .5) for o in peers])
            close(row["robust_z"], (own - centre) / (width * Fraction(1.4826022185056018)) if width else None, (k, "z"), 1e-9)
        words = (["slow"] if k in slow else []) + (["hot"] if u.hot and len(u.gpus) == 1 else [])
        assert row["verdict"] == (", ".join(words) or ("not slow" if k in nearest else "ok")), (k, row["verdict"])
    def rank(r):                    # not ok for its siblings comes behind slow by its tasks
        if r["verdict"].startswith("slow"):
            return 0
        return 1 if r["gpu_verdict"] not in ("", "ok") else ["hot", "not slow", "ok"].index(r["verdict"]) + 2

    ranks = [rank(r) for r in listed]
    assert ranks == sorted(ranks)
    costs = [float(r["cost_gpu_s"]) for r in rows if r["verdict"].startswith("slow")]
    assert costs == sorted(costs, reverse=True)
    assert run.ask(*args) == [r for r in listed if rank(r) < 4]


def key_of(row):
    return tuple(row[c] for c in ("hostname", "gpu_serial", "gpu_uuid"))


def check_gpus_of_hosts(rows, gpus, hot):
    """The GPUs of a host whose tasks name none have a row each beside the host's, without its tasks."""
    assert sorted(map(key_of, rows)) == sorted(gpus)
    for row in rows:
        temps = [s[2] for s in gpus[key_of(row)].samples if s[2] is not None]
        hot_pct = Fraction(100 * sum(t >= hot * MS for t in temps), len(temps)) if temps else None
        same(row, key_of(row), tasks=0, task_median_s=None, cluster="", q_value=None, hot_pct=hot_pct,
             verdict="hot" if hot_pct else "ok")


def check_correlate(run, cluster):
    """What is left of the correlation inside the clusters, and that each unit is one point."""
    rows = run.ask("correlate", "--duplicates", "drop")
    for one, adjusted in (("p_value", "p_holm"), ("r_within_p", "r_within_p_holm")):
        tests = sorted((float(row[one]), row["metric"]) for row in rows if row[one])
        holm = 0
        for i, (p, metric) in enumerate(tests):
            holm = max(holm, min(1, (len(tests) - i) * p))
            close(next(row[adjusted] for row in rows if row["metric"] == metric), holm, (metric, adjusted), 1e-12)
    for row, m in zip(rows, (1, 2, 3, 4)):
        points = [(u.mean(m), u.task_s(), cluster[u.key]) for u in run.units]
        points = [p for p in points if None not in p]
        same(row, m, n=len(points))
        inner = [p for p in points if p[2]]
        x, y = ([p[i] - sum(c) / len(c) for p in inner for c in [[o[i] for o in inner if o[2] == p[2]]]] for i in (0, 1))
        xx, yy, xy = sum(v * v for v in x), sum(v * v for v in y), sum(v * w for v, w in zip(x, y))
        r = float(xy) / math.sqrt(xx) / math.sqrt(yy) if xx and yy else None
        close(row["r_within"], r, (m, "r_within"), 1e-6)
        close(row["slope_within"], None if r is None else xy / xx, (m, "slope_within"), 1e-6)
        rest = len(inner) - len({p[2] for p in inner}) - 2
        if r is not None and rest > 0 and abs(r) < 0.999999:
            for name, side in (("r_within_low", -1), ("r_within_high", 1)):
                close(row[name], math.tanh(math.atanh(r) + side * 1.959963984540054 / math.sqrt(rest)), (m, name), 1e-6)
            a = oracle.Decimal(rest + 1) / 2                           # Student's t with n - clusters - 1 degrees
            p = oracle.incomplete_beta(oracle.Decimal(1 - r * r), a, oracle.Decimal("0.5"), oracle.beta_half(rest + 1))
            close(row["r_within_p"], float(p), (m, "r_within_p"), 1e-6)


# ---- tiles ----

def check_tiles(run, cluster, level):
    data = run.data
    places = {}
    for (task, job), (lvl, x, y) in data.tasks.items():
        if lvl == level:
            places.setdefault((x, y), []).append((task, job))
    for value, column in (("duration", "duration_ms"), ("energy", "energy_j"), ("power", "power_mean_w"),
                          ("host", "hostname"), ("cluster", "cluster")):
        rows = run.ask("tiles", "--level", str(level), "--value", value)
        if rows is None:
            assert value == "cluster" and cluster is None
            continue
        assert [(int(r["x"]), int(r["y"])) for r in rows] == sorted(places)
        for row, place in zip(rows, sorted(places)):
            its = [p for p in run.total_pairs() if (p[2], p[1]) in places[place]]
            windows = [w for w in (oracle.Window(data, p) for p in its) if w.edges]
            joules, covered = sum(w.energy_j() for w in windows), sum(w.timed for w in windows)
            same(row, place, n=len(its))
            if value == "duration":
                close(row[column], Fraction(sum(p[6] - p[5] for p in its), len(its) * MS) if its else None, place)
            elif value == "energy":
                close(row[column], joules / len(windows) if windows else None, place)
            elif value == "power":
                close(row[column], joules * S / covered if windows else None, place, 1e-9)
            elif its:
                first = min(its, key=lambda p: (p[5], p[0].encode(), p[4] or ""))
                if value == "host":
                    assert row[column] == first[0]
                elif data.gpus_of(first):
                    mine = next(u for u in run.units if data.gpus_of(first)[0] in u.gpus)
                    assert row[column] == cluster[mine.key], (place, row[column])
            else:
                assert row[column] == ""


def main():
    program = sys.argv[1]
    seed, runs = (int(sys.argv[k]) if len(sys.argv) > k else default for k, default in ((2, 1), (3, 12)))
    for i in range(runs):
        rnd = random.Random(1000 * seed + i)
        run = Run(program, rnd, gpu_column=i % 3 == 2)
        try:
            check_balance(run)
            check_bias(run)
            check_timeline(run, rnd.choice((10 * S, 7 * S, 3 * S + 1, 60 * S)))
            check_schedule(run)
            cluster = check_clusters(run)
            check_correlate(run, cluster)
            check_stragglers(run, cluster, rnd.choice((80, 40)), rnd.choice((0, 0.03, 0.2)), rnd.choice((0.05, 0.2, 0.5)))
            check_tiles(run, cluster, rnd.choice((4, 8, 12)))
        except AssertionError:
            print("run %d of seed %d:" % (i, seed))
            raise
        for space in run.spaces:
            space.cleanup()
    print("%d random runs agree with the definitions" % runs)


if __name__ == "__main__":
    main()
