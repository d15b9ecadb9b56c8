#!/usr/bin/env python3
"""Computes gpustat's results on a data set exactly, and independently of gpustat.

Everything is an integer or a fraction until the one rounding, to the nearest double, when a value is
printed: times are nanoseconds, readings are millionths, square roots are integer roots with a sticky
bit, and what has no closed form (tanh, the incomplete beta function) is computed to 60 digits. It is
written for being evidently right, in plain Python, and shares nothing with the C code.

  oracle.py events DIR [options]                 CSV in the columns of gpustat, on stdout
  oracle.py events DIR --verify RESULT.csv       compares RESULT with it, number by number
  oracle.py expected DIR PREFIX [--with-join]    every result in one go, as PREFIX-*.csv
  oracle.py midpoints DIR                        how many checkpoints lie exactly between two samples

The definitions are those of README.md beside this file.
"""
import argparse
import csv
import gzip
import io
import lzma
import os
import re
import struct
import sys
from bisect import bisect_left, bisect_right
from calendar import timegm
from collections import defaultdict
from decimal import Decimal, getcontext
from fractions import Fraction
from math import isqrt

getcontext().prec = 60
getcontext().Emin, getcontext().Emax = -10**9, 10**9
METRICS = ("power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct")
DURATIONS = ("duration_mean_ms", "duration_sd_ms", "duration_min_ms", "duration_p50_ms", "duration_p95_ms",
             "duration_p99_ms", "duration_max_ms")
WINDOW = ("samples_mean", "energy_sum_j", "energy_mean_j", "coverage_pct", "power_time_w")
OTHERS = ("energy_sum_j", "coverage_pct", "power_time_w")
MISSING = frozenset(("", "NA", "N/A", "[N/A]"))
MS, S = 10**6, 10**9
LEAST_DOUBLE = 2.2250738585072014e-308
Z_95 = "1.95996398454005423552459443052055152795555"     # P(|Z| <= z) = 0.95 of a standard normal Z


# ---- reading ----

def parse_time(text, cache={}):
    """Nanoseconds since 1970 UTC."""
    second = cache.get(text[:19])
    if second is None:
        m = re.match(r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)", text)
        if m is None:
            return int(Fraction(text) * S)
        second = cache[text[:19]] = timegm(tuple(map(int, m.groups())) + (0, 0, 0))
    m = re.fullmatch(r"(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))?", text[19:])
    fraction, sign, hh, mm = m.groups()
    t = second * S + int((fraction or "0").ljust(9, "0"))
    if sign:
        t -= (int(hh) * 60 + int(mm)) * 60 * S * (1 if sign == "+" else -1)
    return t


def parse_reading(text):
    """Millionths; a longer fraction is rounded to nearest, a half away from zero. None is missing."""
    if text.strip() in MISSING:
        return None
    q = Fraction(text.strip()) * 10**6
    n = (abs(q.numerator) * 2 + q.denominator) // (2 * q.denominator)
    return n if q >= 0 else -n


def open_table(directory, name, optional=False):
    for stem in (name, name.replace("-", "_")):
        for suffix, opener in (("", open), (".gz", gzip.open), (".xz", lzma.open)):
            path = os.path.join(directory, stem + ".csv" + suffix)
            if os.path.exists(path):
                return csv.reader(io.TextIOWrapper(opener(path, "rb"), encoding="utf-8-sig", newline=""), strict=True)
    if optional:
        return None
    sys.exit("%s: no %s.csv" % (directory, name))


class Memo(dict):
    """A dictionary that computes what it lacks."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def __missing__(self, key):
        value = self[key] = self.function(key)
        return value


def mean_reading(values):
    """Of several samples at one instant: to the nearest millionth, a half away from zero; None where none has one."""
    known = [v for v in values if v is not None]
    if not known:
        return None
    n = (abs(sum(known)) * 2 + len(known)) // (2 * len(known))
    return n if sum(known) >= 0 else -n


def rhythm_of(readings, second):
    """(median interval, what repeated readings are, period) of [(time, power)]: a period is renewed values that come as
    regularly as polls show them; regular but slower than 2 s, of values that mostly occur once, is held; else plain."""
    steps = sorted(b[0] - a[0] for a, b in zip(readings, readings[1:]))
    if not steps:
        return 0, "plain", 0
    interval = int(quantile(steps, Fraction(1, 2)))
    changed = [b for a, b in zip(readings, readings[1:]) if a[1] != b[1]]
    rests = sorted(b[0] - a[0] for a, b in zip(changed, changed[1:]))
    period = int(quantile(rests, Fraction(1, 2))) if rests else 0
    values = sorted(p for _, p in changed)
    near = max(interval, period // 4) * Fraction(101, 100)     # a poll may come a little late
    if len(changed) < 10 or 2 * period <= 3 * interval or 4 * sum(abs(r - period) <= near for r in rests) < 3 * len(rests):
        return interval, "plain", 0
    once = sum(bisect_right(values, v) - bisect_left(values, v) == 1 for v in values)
    if period <= 2 * second:
        return (interval, "renewed", period) if len(set(values)) >= 8 else (interval, "plain", 0)
    return (interval, "held", period) if 2 * once >= len(values) else (interval, "plain", 0)


def moves_within(readings, time):
    """The most by which a reading differs from the last one within some time after it."""
    most, j = 0, 0
    for i, (t, p) in enumerate(readings):
        while j + 1 < len(readings) and readings[j + 1][0] - t <= time:
            j += 1
        most = max(most, abs(readings[j][1] - p))
    return most


class Gpu:
    """One GPU's samples: (t, power, temp, gpu_util, mem_util) in order, missing before any value."""

    def __init__(self, key):
        self.key, self.samples, self.cut = key, [], 0      # cut: half of what was cut off the times of its host's events

    def finish(self):
        self.samples.sort(key=lambda s: (s[0],) + tuple((v is not None, v or 0) for v in s[1:])
                          if None in s else (s[0], (True, s[1]), (True, s[2]), (True, s[3]), (True, s[4])))
        self.times = [s[0] for s in self.samples]
        at = defaultdict(list)
        for s in self.samples:
            at[s[0]].append(s)
        self.instants = sorted(at)
        self.reading = [at[t][0] if len(at[t]) == 1 else (t,) + tuple(map(mean_reading, list(zip(*at[t]))[1:]))
                        for t in self.instants]

    def as_of(self, t, opt):
        """The sample that `t` is joined to, or None."""
        at = self.instants
        i = bisect_left(at, t)
        if i < len(at) and at[i] == t:
            chosen = i
        elif opt.join == "backward":
            chosen = i - 1
        elif opt.join == "forward":
            chosen = i
        elif i == 0 or i == len(at):
            chosen = i - 1 if i else 0
        else:
            before, after = t - at[i - 1], at[i] - t
            chosen = i - 1 if before < after or before == after and opt.ties == "earlier" else i
        if not 0 <= chosen < len(at) or opt.tolerance is not None and abs(at[chosen] - t) > opt.tolerance:
            return None
        return self.reading[chosen]

    def looked_at(self):
        """Median interval, rhythm and how much later than an instant the log is looked at: rule F 1 and 2 where nothing
        is said of sensor and card."""
        readings = []                                  # of several at one instant the least
        for s in self.samples:
            if s[1] is not None and (not readings or readings[-1][0] != s[0]):
                readings.append(s[:2])
        interval, rhythm, period = rhythm_of(readings, S)
        shift = 300 * MS                               # a window between none and a second
        if rhythm == "renewed":
            power = [s[1] for s in self.samples if s[1] is not None]
            window = period if moves_within(readings, 2 * period) * 2 >= max(power) - min(power) > 0 else S
            shift = (period + window) // 2
        if rhythm == "held":
            shift += interval // 2
        if len({s[0] for s in self.samples}) > 1 and all(s[0] % S == 0 for s in self.samples):
            shift -= S // 2                            # a time that was cut to seconds
        return interval, rhythm, shift

    def prepare_window(self, max_gap=None):
        """Prefix sums: of each metric, of twice the energy, of its time, and of what of that is covered."""
        self.sums, self.counts = [], []
        for m in range(1, 5):
            sums, counts = [0], [0]
            for s in self.samples:
                sums.append(sums[-1] + (s[m] or 0))
                counts.append(counts[-1] + (s[m] is not None))
            self.sums.append(sums)
            self.counts.append(counts)
        self.curve = [(s[0], s[1]) for s in self.reading if s[1] is not None]
        interval, rhythm, self.shift = self.looked_at()
        if rhythm == "held":                           # the first sight of each value
            self.curve = [c for i, c in enumerate(self.curve) if i in (0, len(self.curve) - 1) or c[1] != self.curve[i - 1][1]]
            interval = int(quantile(sorted(b[0] - a[0] for a, b in zip(self.curve, self.curve[1:])), Fraction(1, 2)))
        self.curve_t = [t for t, _ in self.curve]
        self.bridged = max_gap                         # None: every gap
        self.near = 3 * interval if max_gap is None else max_gap
        self.twice, self.timed, self.covered = [0], [0], [0]
        for (t1, p1), (t2, p2) in zip(self.curve, self.curve[1:]):
            used, near = self.kinds_of(t2 - t1)
            self.twice.append(self.twice[-1] + used * (t2 - t1) * (p1 + p2))
            self.timed.append(self.timed[-1] + used * (t2 - t1))
            self.covered.append(self.covered[-1] + near * (t2 - t1))

    def kinds_of(self, width):
        """Does an interval have energy, and is it covered?"""
        return self.bridged is None or width <= self.bridged, width <= self.near

    def on_log(self, t):
        """An event's instant on the log's clock."""
        return t + self.shift + self.cut

    def inside(self, t):
        """The same, inside the log."""
        return min(max(self.on_log(t), self.curve_t[0]), self.curve_t[-1])

    def integral_to(self, t):
        """(numerator, denominator) of twice the energy up to `t`, its time, and of that the covered time."""
        i = bisect_right(self.curve_t, t) - 1
        if i + 1 == len(self.curve) or self.curve_t[i] == t:
            return self.twice[i], 1, self.timed[i], self.covered[i]
        (t1, p1), (t2, p2) = self.curve[i], self.curve[i + 1]
        width, x = t2 - t1, t - t1
        used, near = self.kinds_of(width)
        return (self.twice[i] * width + used * x * (2 * p1 * width + (p2 - p1) * x), width,
                self.timed[i] + used * x, self.covered[i] + near * x)


class Dataset:
    def __init__(self, directory, drop):
        self.drop = drop
        moment, reading = Memo(parse_time), Memo(parse_reading)
        rows = open_table(directory, "gpu")
        at = self.bind(next(rows), ("timestamp", "hostname", "gpuSerial", "gpuUUID", "powerDrawWatt", "gpuTempC",
                                    "gpuUtilPerc", "gpuMemUtilPerc"))
        t, host, serial, uuid, p, c, u, m = at
        self.gpus, self.gpu_rows = {}, 0
        for r in rows:
            self.gpu_rows += 1
            key = (r[host], r[serial], r[uuid])
            gpu = self.gpus.get(key)
            if gpu is None:
                gpu = self.gpus[key] = Gpu(key)
            gpu.samples.append((moment[r[t]], reading[r[p]], reading[r[c]], reading[r[u]], reading[r[m]]))
        # Rows of one instant are repeats if all of them are equal; else they are readings of coarse stamps, and all count.
        self.gpu_repeats = 0
        for gpu in self.gpus.values():
            at = defaultdict(list)
            for s in gpu.samples:
                at[s[0]].append(s)
            once = [s for rows in at.values() for s in (rows[:1] if len(set(rows)) == 1 else rows)]
            self.gpu_repeats += len(gpu.samples) - len(once)
            if drop:
                gpu.samples = once
        self.by_host = defaultdict(list)
        for key in sorted(self.gpus, key=encoded):
            gpu = self.gpus[key]
            gpu.finish()
            self.by_host[key[0]].append(gpu)

        rows = open_table(directory, "application-checkpoints")
        header = next(rows)
        t, host, event, kind, job, task = self.bind(header, ("timestamp", "hostname", "eventName", "eventType",
                                                            "jobId", "taskId"))
        gpu_at = next((header.index(n) for n in ("gpuUUID", "gpuSerial") if n in header), None)
        self.gpu_column = None if gpu_at is None else header[gpu_at]
        self.checkpoints = []
        for r in rows:
            self.checkpoints.append((r[host], r[job], r[task], r[event], r[gpu_at] if gpu_at is not None else None,
                                     r[kind], moment[r[t]]))
        self.checkpoint_rows = len(self.checkpoints)
        unique = set(self.checkpoints)
        self.checkpoint_repeats = self.checkpoint_rows - len(unique)
        if drop:
            self.checkpoints = list(unique)
        marks = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for *key, kind, when in self.checkpoints:
            marks[tuple(key)][when][("START", "STOP").index(kind)] += 1
        self.pairs, self.orphans = [], 0           # (host, job, task, event, gpu, start, stop)
        for key, instants in marks.items():
            open_starts = []
            for when, (starts, stops) in sorted(instants.items()):
                before = min(stops, len(open_starts))
                at_once = min(stops - before, starts)
                self.pairs += [key + (open_starts.pop(), when) for _ in range(before)] + [key + (when, when)] * at_once
                self.orphans += stops - before - at_once
                open_starts += [when] * (starts - at_once)
            self.orphans += len(open_starts)
        fine = {p[0] for p in self.pairs if p[5] % S or p[6] % S}
        for host in {p[0] for p in self.pairs} - fine:
            for gpu in self.by_host.get(host, ()):
                gpu.cut = S // 2

        self.tasks, self.task_rows, self.task_repeats, levels = {}, 0, 0, defaultdict(int)
        rows = open_table(directory, "task-x-y", optional=True)
        self.has_tasks = rows is not None
        if rows is not None:
            task, job, x, y, level = self.bind(next(rows), ("taskId", "jobId", "x", "y", "level"))
            places = defaultdict(list)
            for r in rows:
                self.task_rows += 1
                places[r[task], r[job]].append((int(r[level]), int(r[x]), int(r[y])))
            self.task_repeats = sum(len(p) - len(set(p)) for p in places.values())
            self.tasks = {key: min(p) for key, p in places.items()}
            self.levels = sorted({p[0] for ps in places.values() for p in ps})

    @staticmethod
    def bind(header, names):
        return [header.index(n) for n in names]

    def median_interval(self):
        steps = sorted(b - a for g in self.gpus.values() for a, b in zip(g.instants, g.instants[1:]))
        return int(quantile(steps, Fraction(1, 2))) if steps else 0

    def gpus_of(self, pair):
        gpus = self.by_host.get(pair[0], ())
        if self.gpu_column:
            place = 2 if self.gpu_column == "gpuUUID" else 1
            return [g for g in gpus if g.key[place] == pair[4]]
        return gpus


def encoded(key):
    """Text in byte order, as C compares it."""
    return tuple(part.encode() if isinstance(part, str) else part for part in key)


# ---- exact numbers ----

def quantile(values, p):
    """Type 7 of sorted integers, exact."""
    h = (len(values) - 1) * p
    i = int(h)
    return values[i] if h == i else values[i] + (h - i) * (values[i + 1] - values[i])


def root(q):
    """The double nearest to the square root of a fraction."""
    if q == 0:
        return 0.0
    shift = max(0, 140 + q.denominator.bit_length() - q.numerator.bit_length()) // 2 + 1
    scaled, rest = divmod(q.numerator << 2 * shift, q.denominator)
    whole = isqrt(scaled)
    sticky = rest != 0 or whole * whole != scaled
    return float(Fraction(2 * whole + sticky, 2 << shift))


def decimal(q):
    return Decimal(q.numerator) / Decimal(q.denominator)


class Sum:
    """A sum of fractions, kept by denominator, and how many there are."""

    def __init__(self):
        self.parts, self.n = defaultdict(int), 0

    def add(self, numerator, denominator):
        self.parts[denominator] += numerator

    def total(self):
        return sum((Fraction(n, d) for d, n in self.parts.items()), Fraction(0))

    def mean(self, unit=1):
        return self.total() / (self.n * unit) if self.n else None


# ---- pairs ----

def pair_as_of(data, pair, opt):
    """Per metric (numerator, denominator) in millionths, or None."""
    gpus = data.gpus_of(pair)
    ends = [(g.as_of(pair[5], opt), g.as_of(pair[6], opt)) for g in gpus]
    out = []
    for m in range(1, 5):
        both = [a[m] + b[m] for a, b in ends if a and b and a[m] is not None and b[m] is not None]
        out.append((sum(both), 2 * len(both)) if both else None)
    return out


class Window:
    """What lies in [start, stop] of a pair: samples, the metrics' means, energy, covered time."""

    def __init__(self, data, pair):
        start, stop = pair[5], pair[6]
        gpus = data.gpus_of(pair)
        spans = [(g, bisect_left(g.times, start), bisect_right(g.times, stop)) for g in gpus]
        self.n_samples = sum(max(0, b - a) for _, a, b in spans)
        self.metrics = []
        for m in range(4):
            means = [(g.sums[m][b] - g.sums[m][a], g.counts[m][b] - g.counts[m][a])
                     for g, a, b in spans if b > a and g.counts[m][b] > g.counts[m][a]]
            if len(means) < 2:
                self.metrics.append(means[0] if means else None)
            else:
                q = sum(Fraction(*x) for x in means) / len(means)
                self.metrics.append((q.numerator, q.denominator))
        self.covered, self.timed, self.edges = 0, 0, []    # twice the energy is the sum of the edges
        for g in gpus if stop > start else ():
            if not g.curve:
                continue
            n1, d1, t1, c1 = g.integral_to(g.inside(start))
            n2, d2, t2, c2 = g.integral_to(g.inside(stop))
            if t2 > t1:
                self.covered += c2 - c1
                self.timed += t2 - t1
                self.edges += [(n2, d2), (-n1, d1)]
        self.possible = max(0, stop - start) * max(1, len(gpus))

    def energy_j(self):
        return sum(Fraction(n, d) for n, d in self.edges) / (2 * 10**15) if self.edges else None


class Group:
    def __init__(self):
        self.durations = []
        self.metrics = [Sum() for _ in METRICS]
        self.energy, self.n_samples, self.timed, self.covered, self.possible = Sum(), 0, 0, 0, 0

    def add(self, data, pair, opt):
        self.durations.append(pair[6] - pair[5])
        w = Window(data, pair)
        values = w.metrics if opt.join == "window" else pair_as_of(data, pair, opt)
        self.n_samples += w.n_samples
        self.timed += w.timed
        self.covered += w.covered
        self.possible += w.possible
        self.energy.n += bool(w.edges)
        for n, d in w.edges:
            self.energy.add(n, d)
        for total, value in zip(self.metrics, values):
            if value:
                total.n += 1
                total.add(*value)

    def row(self, opt):
        d = sorted(self.durations)
        n, total = len(d), sum(d)
        var = Fraction(n * sum(x * x for x in d) - total * total, n * (n - 1)) / MS**2 if n > 1 else None
        row = [n, Fraction(total, n * MS), None if var is None else root(var), Fraction(d[0], MS)]
        row += [Fraction(quantile(d, Fraction(p, 100))) / MS for p in (50, 95, 99)] + [Fraction(d[-1], MS)]
        row += [m.mean(10**6) for m in self.metrics]
        joules = self.energy.total() / (2 * 10**15) if self.energy.n else None
        coverage = Fraction(100 * self.covered, self.possible) if self.possible else None
        if opt.join == "window":
            row += [Fraction(self.n_samples, n), joules, None if joules is None else joules / self.energy.n, coverage]
        else:
            row += [joules, coverage]
        row.append(None if joules is None else joules * S / self.timed)
        return row


def group_header(name, opt):
    return (name, "n") + DURATIONS + METRICS + (WINDOW if opt.join == "window" else OTHERS)


def chosen(data, opt, default=None):
    event = opt.event or default
    return [p for p in data.pairs if event is None or p[3] == event]


# ---- the commands ----

def events(data, opt):
    groups = defaultdict(Group)
    for pair in chosen(data, opt):
        groups[pair[3]].add(data, pair, opt)
    return group_header("event", opt), [[e] + groups[e].row(opt) for e in sorted(groups, key=str.encode)]


def zoom(data, opt):
    groups = defaultdict(Group)
    for pair in chosen(data, opt, "TotalRender"):
        groups[data.tasks.get((pair[2], pair[1]), (None,))[0]].add(data, pair, opt)
    order = sorted(groups, key=lambda level: (level is None, level or 0))
    return group_header("level", opt), [[level] + groups[level].row(opt) for level in order]


def gpus(data, opt):
    durations = defaultdict(list)
    place = {None: None, "gpuUUID": 2, "gpuSerial": 1}[data.gpu_column]
    for p in chosen(data, opt, "TotalRender"):
        durations[p[0], p[4]].append(p[6] - p[5])
    rows = []
    for key in sorted(data.gpus, key=encoded):
        samples = data.gpus[key].samples
        row = list(key) + [len(samples)]
        for m in range(1, 5):
            known = [s[m] for s in samples if s[m] is not None]
            row.append(Fraction(sum(known), len(known) * 10**6) if known else None)
        d = durations.get((key[0], key[place] if place else None), [])
        rows.append(row + [len(d), Fraction(sum(d), len(d) * S) if d else None])
    return ("hostname", "gpu_serial", "gpu_uuid", "samples") + METRICS + ("tasks", "total_render_mean_s"), rows


def sums_of_products(xs, ys):
    """n*Sxx, n*Sxy, n*Syy, Sx, Sy and n of fractions, exact: all scaled to integers and back."""
    n = len(xs)
    fx, fy = (1 if not v else max(q.denominator for q in v) for v in (xs, ys))     # powers of two, or one
    ix, iy = [int(q * fx) for q in xs], [int(q * fy) for q in ys]
    sx, sy = sum(ix), sum(iy)
    xx = n * sum(a * a for a in ix) - sx * sx
    xy = n * sum(a * b for a, b in zip(ix, iy)) - sx * sy
    yy = n * sum(b * b for b in iy) - sy * sy
    return Fraction(xx, fx * fx), Fraction(xy, fx * fy), Fraction(yy, fy * fy), Fraction(sx, fx), Fraction(sy, fy), n


def signed_root(r2, sign):
    return -root(r2) if sign < 0 else root(r2)


def midranks(values):
    """Twice the mid-rank of each value."""
    order = sorted(values)
    return [Fraction(bisect_left(order, v) + bisect_right(order, v) + 1) for v in values]


def pi():
    """Machin's formula."""
    def arctan_inverse(k):
        total, term, i = Decimal(0), Decimal(1) / k, 0
        while abs(term) > Decimal(10) ** -65:
            total += term / (2 * i + 1) * (-1) ** i
            term /= k * k
            i += 1
        return total
    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


def beta_half(twice_a):
    """B(a, 1/2) by its recurrence in a."""
    value, a2 = (Decimal(2), 2) if twice_a % 2 == 0 else (pi(), 1)
    while a2 < twice_a:
        value = value * a2 / (a2 + 1)
        a2 += 2
    return value


def incomplete_beta(x, a, b, complete):
    """The regularised I_x(a, b) by its continued fraction (modified Lentz)."""
    if x == 0:
        return Decimal(0)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a, complete)
    front = (a * x.ln() + b * (1 - x).ln()).exp() / (a * complete)
    tiny = Decimal(10) ** -200
    c, d = Decimal(1), 1 - (a + b) * x / (a + 1)
    d = 1 / (d if d else tiny)
    h, m = d, 1
    while True:
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            d = 1 / (d if d else tiny)
            c = 1 + step / c
            c = c if c else tiny
            h *= d * c
        if abs(d * c - 1) < Decimal(10) ** -55:
            return front * h
        m += 1


def correlate(data, opt):
    header, rows = gpus(data, opt)
    out = []
    for i, name in enumerate(("power_w", "temp_c", "gpu_util_pct", "mem_util_pct")):
        both = [(Fraction(float(r[4 + i])), Fraction(float(r[9]))) for r in rows
                if r[4 + i] is not None and r[9] is not None]
        xs, ys = [x for x, _ in both], [y for _, y in both]
        xx, xy, yy, sx, sy, n = sums_of_products(xs, ys)
        row = [name, n] + [None] * 8
        if n > 1 and xx:
            slope = xy / xx
            row[7], row[8] = slope, (sy - slope * sx) / n
        if n > 1 and xx and yy:
            r2 = xy * xy / (xx * yy)
            row[2], row[9] = signed_root(r2, xy), r2
            r = decimal(r2).sqrt() * (-1 if xy < 0 else 1)
            if n > 3 and r2 == 1:
                row[3] = row[4] = row[2]
            elif n > 3:
                z = ((1 + r) / (1 - r)).ln() / 2
                half = Decimal(Z_95) / Decimal(n - 3).sqrt()
                for place, v in ((3, z - half), (4, z + half)):
                    row[place] = float(1 - 2 / ((2 * v).exp() + 1))
            if n > 2:
                a = Decimal(n - 2) / 2
                p = float(incomplete_beta(decimal(1 - r2), a, Decimal("0.5"), beta_half(n - 2)))
                row[5] = max(p, LEAST_DOUBLE) if r2 < 1 else p  # a bound where p is less than a double holds
            kx, kxy, ky, *_ = sums_of_products(midranks(xs), midranks(ys))
            row[6] = signed_root(kxy * kxy / (kx * ky), kxy)
        out.append(row)
    return ("metric", "n", "pearson_r", "pearson_ci_low", "pearson_ci_high", "p_value", "spearman_rho", "slope",
            "intercept", "r_squared"), out


def time_text(t):
    """RFC 3339 in UTC with three digits of fraction, six or nine where it needs them."""
    from time import gmtime, strftime
    seconds, ns = divmod(t, S)
    fraction = "%09d" % ns
    while len(fraction) > 3 and fraction.endswith("000"):
        fraction = fraction[:-3]
    return strftime("%Y-%m-%dT%H:%M:%S.", gmtime(seconds)) + fraction + "Z"


def join(data, opt):
    rows = []
    pairs = chosen(data, opt)
    pairs.sort(key=lambda p: encoded((p[0], p[5], p[3], p[1], p[2], p[6], p[4] or "")))
    for p in pairs:
        its = data.gpus_of(p)
        w = Window(data, p)
        values = w.metrics if opt.join == "window" else pair_as_of(data, p, opt)
        row = [p[0]] + (list(its[0].key[1:]) if len(its) == 1 else [None, None])
        row += [Fraction(v[0], v[1] * 10**6) if v else None for v in values]
        row += [p[3], p[1], p[2], time_text(p[5]), time_text(p[6]), Fraction(p[6] - p[5], MS)]
        if data.has_tasks:
            row += list(data.tasks.get((p[2], p[1]), (None, None, None)))
        row += [w.n_samples] if opt.join == "window" else []
        row += [w.energy_j(), Fraction(100 * w.covered, w.possible) if w.possible else None]
        rows.append(row)
    return (("hostname", "gpu_serial", "gpu_uuid", "power_w", "temp_c", "gpu_util_pct", "mem_util_pct", "event",
             "job_id", "task_id", "start", "stop", "duration_ms") + (("level", "x", "y") if data.has_tasks else ()) +
            (("n_samples",) if opt.join == "window" else ()) + ("energy_j", "coverage_pct")), rows


def summary(data, opt):
    cp = data.checkpoints
    total = [p for p in data.pairs if p[3] == "TotalRender"]
    levels = defaultdict(int)
    for p in total:
        levels[data.tasks.get((p[2], p[1]), (None,))[0]] += 1
    rows = [["checkpoint_rows", data.checkpoint_rows], ["gpu_rows", data.gpu_rows], ["task_rows", data.task_rows],
            ["checkpoint_duplicate_rows", data.checkpoint_repeats], ["gpu_duplicate_rows", data.gpu_repeats],
            ["task_duplicate_rows", data.task_repeats],
            ["hostnames", len({k[0] for k in data.gpus} | {c[0] for c in cp})],
            ["gpu_serials", len({k[1] for k in data.gpus})], ["gpu_uuids", len({k[2] for k in data.gpus})],
            ["event_names", len({c[3] for c in cp})],
            ["job_ids", len({c[1] for c in cp} | {k[1] for k in data.tasks})],
            ["task_ids", len({c[2] for c in cp} | {k[0] for k in data.tasks})],
            ["levels", len(data.levels) if data.has_tasks else None],
            ["pairs", len(data.pairs)], ["orphans", data.orphans], ["total_render_pairs", len(total)]]
    if data.has_tasks:
        rows += [["total_render_pairs_level_%s" % ("none" if v is None else v), levels[v]]
                 for v in sorted(levels, key=lambda level: (level is None, level or 0))]
    for name, times in (("checkpoint", [c[6] for c in cp]),
                        ("gpu", [t for g in data.gpus.values() for t in (g.times[0], g.times[-1])])):
        if times:
            rows += [["first_%s" % name, time_text(min(times))], ["last_%s" % name, time_text(max(times))]]
    rows.append(["sampling_interval_median_s", Fraction(data.median_interval(), S)])
    return ("quantity", "value"), rows


def midpoints(data, opt):
    n = 0
    for host, *_, when in data.checkpoints:
        for g in data.by_host.get(host, ()):
            i = bisect_left(g.instants, when)
            n += 0 < i < len(g.instants) and g.instants[i] != when and 2 * when == g.instants[i] + g.instants[i - 1]
    return ("checkpoints", "exactly_between_two_samples"), [[len(data.checkpoints), n]]


# ---- printing and comparing ----

def text(value):
    if value is None:
        return ""
    if isinstance(value, (str, int)):
        return str(value)
    return repr(float(value))


def write(frame, out):
    w = csv.writer(out, lineterminator="\n")
    w.writerow(frame[0])
    w.writerows([text(v) for v in row] for row in frame[1])


TEXTS = frozenset(("event", "hostname", "gpu_serial", "gpu_uuid", "job_id", "task_id", "metric", "quantity"))


def ulps(a, b):
    def rank(x):
        i = struct.unpack("<q", struct.pack("<d", x))[0]
        return i if i >= 0 else -(i & 0x7FFFFFFFFFFFFFFF)
    return abs(rank(a) - rank(b))


def difference(column, want, got):
    """In ulps; None where the two cannot be compared."""
    if want == got:
        return 0
    if column in TEXTS or want == "" or got == "":
        return None
    try:
        if column in ("start", "stop") or "T" in want:
            return 0 if parse_time(want) == parse_time(got) else None
        return ulps(float(want), float(got))
    except (ValueError, AttributeError):     # not a time, not a number
        return None


def verify(frame, path, limit, loose=(), out=sys.stdout):
    """0 where RESULT agrees, 1 where it does not. `loose`: (start of a column's name, its own limit)."""
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f, strict=True))
    header, rows = rows[0], rows[1:]
    lacking = [c for c in frame[0] if c not in header]
    if lacking:
        print("%s: lacks the columns %s" % (path, ", ".join(lacking)), file=out)
        return 1
    wanted = frame[1]
    if frame[0][0] == "quantity":            # compare the quantities that both know
        mine = {r[0]: r for r in wanted}
        rows = [r for r in rows if r[header.index("quantity")] in mine]
        wanted = [mine[r[header.index("quantity")]] for r in rows]
    if len(rows) != len(wanted):
        print("%s: %d rows, expected %d" % (path, len(rows), len(wanted)), file=out)
        return 1
    at = [header.index(c) for c in frame[0]]
    worst, bad, n = (0, ""), 0, 0
    for i, (row, want) in enumerate(zip(rows, wanted)):
        for column, place, value in zip(frame[0], at, want):
            n += 1
            d = difference(column, text(value), row[place])
            if d is None or d > max([limit] + [own for start, own in loose if column.startswith(start)]):
                bad += 1
                if bad <= 20:
                    print("%s: row %d, %s: '%s', expected '%s'%s" % (path, i + 1, column, row[place], text(value),
                                                                     "" if d is None else " (%d ulp)" % d), file=out)
            if d is not None and d > worst[0]:
                worst = (d, "row %d, %s" % (i + 1, column))
    print("%s: %d rows, %d values, %d differ, worst %d ulp%s" % (path, len(rows), n, bad, worst[0],
                                                                 " in " + worst[1] if worst[1] else ""), file=out)
    return 1 if bad or not n else 0


COMMANDS = {"events": events, "zoom": zoom, "gpus": gpus, "correlate": correlate, "join": join, "summary": summary,
            "midpoints": midpoints}


def prepare(data, opt):
    for g in data.gpus.values():
        g.prepare_window(opt.max_gap)


def duration(value):
    """A span such as 1.5s, 20ms or 3m, or bare seconds, in nanoseconds."""
    m = re.fullmatch(r"([0-9.]+)(ns|us|ms|s|m|h)?", value)
    if m is None:
        raise argparse.ArgumentTypeError("'%s' is not a duration" % value)
    return int(Fraction(m[1]) * {"ns": 1, "us": 10**3, "ms": MS, None: S, "s": S, "m": 60 * S, "h": 3600 * S}[m[2]])


def expected(data, opt, prefix):
    names = ["events", "zoom", "gpus", "correlate", "summary"] + (["join"] if opt.with_join else [])
    for window in (False, True):
        opt.join = "window" if window else "nearest"
        prepare(data, opt)
        if window:
            names = [n for n in names if n in ("events", "zoom", "join")]
        for name in names:
            with open("%s-%s%s.csv" % (prefix, name, "-window" if window else ""), "w", encoding="utf-8",
                      newline="") as f:
                write(COMMANDS[name](data, opt), f)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=list(COMMANDS) + ["expected"])
    p.add_argument("directory")
    p.add_argument("prefix", nargs="?", help="expected: the files are PREFIX-events.csv and so on")
    p.add_argument("--join", choices=("nearest", "backward", "forward", "window"), default="nearest")
    p.add_argument("--tolerance", type=duration)
    p.add_argument("--ties", choices=("earlier", "later"), default="earlier")
    p.add_argument("--duplicates", choices=("keep", "drop"), default="keep")
    p.add_argument("--event")
    p.add_argument("--max-gap", type=duration)
    p.add_argument("--with-join", action="store_true", help="expected: the join's rows too")
    p.add_argument("--verify", metavar="RESULT.csv", help="compare this file with the exact result")
    p.add_argument("--ulp", type=int, default=0, metavar="N", help="how far off a number may be (default 0)")
    p.add_argument("--loose", type=lambda v: (v.split("=")[0], int(v.split("=")[1])), action="append", default=[],
                   metavar="COLUMN=N", help="how far off numbers of columns may be whose names begin so")
    opt = p.parse_args()
    data = Dataset(opt.directory, opt.duplicates == "drop")
    if opt.command == "expected":
        if opt.prefix is None:
            p.error("expected needs a PREFIX")
        return expected(data, opt, opt.prefix)
    prepare(data, opt)
    frame = COMMANDS[opt.command](data, opt)
    if opt.verify:
        return verify(frame, opt.verify, opt.ulp, opt.loose)
    return write(frame, sys.stdout)


if __name__ == "__main__":
    sys.exit(main())
