#!/usr/bin/env python3
"""Holds `gpustat power --windows` to the sensor's arithmetic, computed here, and to an external meter.

  energy.py PROGRAM [SHARED]

1. Logs of simulated sensors (a running mean of a known power, renewed every period): energy and interval of random
   windows must be those of the formulas, and hold the true energy; trains that the sensor sees in part are refused.
   Cards that nobody has measured, with a meter of 1 kHz beside them: read from the log, known, and calibrated.
2. Where the folder SHARED/truth (default ../shared/data) is there: the runs with a meter. With the card unknown, known
   by its name, and calibrated: the error over the load; the share of 200 random windows of each length whose interval
   holds the meter; the interval's median half width; bursts.

The formulas: energy = trapezoid of the readings over [a + s, b + s], s = (T + w) / 2, T the median time between
renewals; interval = energy -+ sqrt(card^2 + 4 sampling + 4 edges + blind^2), for one window and for a sum of windows
alike. The last line is "N passed, N failed".
"""
import bisect
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from statistics import median

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle  # noqa: E402
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LENGTHS = (0.1, 0.25, 0.5, 1, 2, 3, 4, 6)
EPOCH = datetime(1970, 1, 1)


def parse_time(text, offset_s=0):
    text = text.strip().replace("/", "-").replace("T", " ").rstrip("Z")
    return (datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f") - EPOCH) / timedelta(seconds=1) - offset_s


def show_time(t):
    return (EPOCH + timedelta(microseconds=round(t * 1e6))).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Integral:
    """Energy up to an instant of a curve through points; a gap longer than max_gap adds nothing."""

    def __init__(self, t, p, max_gap=math.inf):
        self.t, self.p, self.max_gap = t, p, max_gap
        self.sum = [0.0]
        for i in range(1, len(t)):
            dt = t[i] - t[i - 1]
            self.sum.append(self.sum[-1] + (dt * (p[i] + p[i - 1]) / 2 if dt <= max_gap else 0.0))

    def until(self, x):
        i = bisect.bisect_right(self.t, x) - 1
        if i < 0:
            return 0.0
        if i + 1 == len(self.t):
            return self.sum[-1]
        dt, u = self.t[i + 1] - self.t[i], x - self.t[i]
        if dt > self.max_gap:
            return self.sum[i]
        return self.sum[i] + u * (self.p[i] + (self.p[i + 1] - self.p[i]) * u / dt / 2)

    def between(self, a, b):
        return self.until(b) - self.until(a)


# Gain and offset (W) of the models that have been measured; one that has not lies inside the largest error of 16.
MODELS = ((.9446, 3.91), (1.0029, -4.57), (.9665, -5.77), (.9822, 14.38), (.9989, -.34), (1.0637, -5.22), (1.0103, 1.25),
          (.9715, 1.41), (1.0241, .81), (.9637, -6.29), (.9541, -1.20), (.9926, .88), (.9107, 5.76), (.8834, 15.23),
          (1.0463, -22.73), (1.0254, -2.59), (1.0001, -2.71))
LOCAL = 12


class Sum:
    """Windows added up, and their interval: rule F 4. A sum of a sum is that of its windows."""

    def __init__(self):
        self.t = self.e = self.scale = self.zero = self.unknown = self.unknown_t = 0.0
        self.sampling = self.apart = self.alike = self.blind = self.inside = 0.0
        self.n = self.n_cut = 0
        self.own = {}                    # energy and time of each GPU whose card is not known

    def add(self, other):
        for k, v in vars(other).items():
            if k != "own":
                setattr(self, k, getattr(self, k) + v)
        for gpu, (e, t) in other.own.items():
            x, y = self.own.get(gpu, (0.0, 0.0))
            self.own[gpu] = x + e, y + t
        return self

    def half(self):
        card = 4 * (self.scale ** 2 + self.zero ** 2)
        card += max(abs(self.unknown - (self.unknown - o * self.unknown_t) / g) for g, o in MODELS) ** 2
        card += 4 * sum((.01 * e) ** 2 + (3 * t) ** 2 for e, t in self.own.values())
        return math.sqrt(card + 4 * self.sampling + 4 * max(self.apart, self.alike ** 2) + self.blind ** 2)

    def low(self):
        return self.e - self.half() if self.e < 0 else max(self.e - self.half(), 0.0)

    def refused(self):
        return self.n_cut > 0 and 100 * self.n_cut >= self.n


class Sensor:
    """What section F makes of a log; `card` as (gain, offset) of the table, `own` with (gain, offset, r2)."""

    def __init__(self, t, p, instant, card=None, own=None, window=None, period=None):
        self.t, self.p = t, p
        readings = [(round(x * 1e6) * 1000, v) for x, v in zip(t, p)]
        interval, rhythm, shown = oracle.rhythm_of(readings, 10 ** 9)
        self.interval = interval / 1e9
        self.shows, seen = rhythm == "renewed", shown / 1e9
        if period is not None:
            self.shows, seen = period > 1.5 * self.interval, period
        assert rhythm != "held"
        unseen, known = (seen, self.interval) if self.shows else (0.1 if period is None else period, 0.1), window is not None
        if window is None and self.shows:
            at_once = oracle.moves_within(readings, round(2e9 * seen)) >= (max(p) - min(p)) / 2 > 0
            window, known = seen if instant or at_once else 1.0, True
        elif window is None:
            window = 0.1 if instant else 1.0
        self.window, self.shift, self.reach = window, (unseen[0] + window) / 2, unseen[0] + window
        self.hidden = max(window - unseen[1], 0.0) if known else 0.0
        if not known:
            self.shift = 0.1 if instant else 0.3
        if all(x % 10 ** 9 == 0 for x, _ in readings):
            self.shift, self.reach = self.shift - 0.5, self.reach + 1.5
        self.gain, self.offset, self.g, self.o = 1.0, 0.0, None, None
        if card is not None:
            self.gain, self.offset = card
            self.g, self.o = 0.025, 4.0
        if own is not None:
            self.gain, self.offset, r2 = own
            self.g, self.o = 0.01, math.sqrt(4 + (1 - r2) * ((max(p) - min(p)) / 2 / self.gain) ** 2)
        self.curve, self.seen = Integral(t, p), Integral(t, [1.0] * len(t), 3 * self.interval * (1 + 1e-9))
        self.rt, self.rp = self.renewals(seen) if self.shows else (t, p)
        self.step = median(y - x for x, y in zip(self.rt, self.rt[1:]))
        mean = sum(self.rp) / len(self.rp)
        self.variance = sum((v - mean) ** 2 for v in self.rp) / len(self.rp)
        self.steps = self.white_and_drift(0, len(self.rt) - 1)

    def renewals(self, period):
        """Readings that differ from the one before; one that stays counts once more each period."""
        t, p, i, last = [], [], 0, len(self.t) - 1
        while i < last:
            end = i + 1
            while end < last and self.p[end] == self.p[i]:
                end += 1
            stays = self.t[end] - self.t[i]
            n = min(max(round(stays / period - 0.2), 1), end - i)
            t += [self.t[i] + stays * k / n for k in range(n)]
            p += [self.p[i]] * n
            i = end
        return t + [self.t[last]], p + [self.p[last]]

    def white_and_drift(self, i, j):
        """The variance between readings i to j that is there at no distance, and that grows with it."""
        near = [self.rt[k + 1] - self.rt[k] <= 3 * self.step * (1 + 1e-9) for k in range(i, j)]
        one = [(self.rp[k + 1] - self.rp[k]) ** 2 for k in range(i, j) if near[k - i]]
        two = [(self.rp[k + 1] - self.rp[k - 1]) ** 2 for k in range(i + 1, j) if near[k - i] and near[k - i - 1]]
        g1 = sum(one) / len(one) / 2 if one else 0.0
        g2 = sum(two) / len(two) / 2 if two else g1
        r = min(max(g2 / g1 - 1 - 1 / math.sqrt(max(len(two), 1)), 0), 1) if g1 > 0 else 1.0
        return (1 - r) * g1, r * g1

    def sampling(self, x, y, first, last):
        white, drift = self.white_and_drift(first, last + 1) if last - first >= LOCAL else self.steps
        weights, rest = [0.0] * (last - first + 2), 0.0
        for k in range(first, last + 1):
            low, high = self.rt[k], self.rt[k + 1]
            u, v, width = max(x, low), min(y, high), high - low
            if v <= u:
                continue
            length, cut = v - u, v - u < width
            c = ((u + v) / 2 - low) / width
            f = 1.0 if cut and not self.shows else max(1 - self.hidden / width, 0)
            w = f * min(white + drift * max(width / self.step - 1, 0), max(self.variance, white))
            weights[k - first] += math.sqrt(w) * length * (1 - c)
            weights[k - first + 1] += math.sqrt(w) * length * c
            rest += w * length ** 2 * (1 - length / width)
            rest += f * ((self.rp[k + 1] - self.rp[k]) * length) ** 2 * max(c * (1 - c) - length / (6 * width), 0)
        return sum(w * w for w in weights) + rest

    def around(self, x):
        """Range and rise of the readings that an instant is smeared over."""
        a, b = x - self.reach / 2, x + self.reach / 2
        i, j = bisect.bisect_right(self.t, a), bisect.bisect_left(self.t, b)
        inner, last = self.p[i:j], len(self.t) - 1
        if self.shows:
            inner = [self.at(a)] + inner + [self.at(b)]
        else:
            inner = [self.p[max(i - 1, 0)]] + inner + ([self.p[j]] if j <= last else [])
        return max(inner) - min(inner), inner[-1] - inner[0]

    def at(self, x):
        i = bisect.bisect_right(self.t, x)
        if i in (0, len(self.t)):
            return self.p[max(i - 1, 0)]
        return self.p[i - 1] + (self.p[i] - self.p[i - 1]) * (x - self.t[i - 1]) / (self.t[i] - self.t[i - 1])

    def edge(self, x, a, b):
        """(independent variance, signed error) of one end of [a, b], W s of the log."""
        span, rise = self.around(x)
        kept = self.reach / 6
        if not self.shows:
            k = min(max(bisect.bisect_right(self.rt, x) - 1, 0), len(self.rt) - 2)
            kept += (min(b, self.rt[k + 1]) - max(a, self.rt[k])) ** 2 / (3 * (self.rt[k + 1] - self.rt[k]))
        return (span * self.reach / 4 / self.gain) ** 2, rise * kept / self.gain

    def sum(self, a=None, b=None):
        """The Sum of a window, or of the whole log."""
        s, whole, log = Sum(), a is None, (self.t[0], self.t[-1])
        x, y = log if whole else (min(max(v + self.shift, log[0]), log[1]) for v in (a, b))
        if y <= x:
            return s
        first, last = (max(bisect.bisect_right(self.rt, v) - 1, 0) for v in (x, y))
        s.n, s.t = 1, y - x
        s.n_cut = not whole and max(log[0] - a - self.shift, b + self.shift - log[1]) > self.step * (1 + 1e-9)
        e = self.curve.between(x, y)
        s.e = (e - self.offset * s.t) / self.gain
        s.inside = self.seen.between(x, y)
        if self.g is None:
            s.unknown, s.unknown_t, s.own = s.e, s.t, {self: (s.e, s.t)}
        else:
            s.scale, s.zero = self.g * s.e, self.o * s.t
        if self.shows or last > first or self.rt[first] == x:
            top = len(self.rt) - 2
            first, last = min(first, top), min(last, top)
            if last > first and self.rt[last] >= y:
                last -= 1
            s.sampling = self.sampling(x, y, first, last) / self.gain ** 2
        else:
            s.blind = max(e - min(self.rp) * s.t, max(self.rp) * s.t - e) / self.gain
        for at, sign in () if whole else ((x, 1), (y, -1)):
            apart, alike = self.edge(at, x, y)
            s.apart += apart
            s.alike += sign * alike
        return s

    def energy(self, a, b):
        """(energy, half width)."""
        s = self.sum(a, b)
        return s.e, s.half()


def number(text):
    return float(text) if text else math.nan


def run_windows(program, log, windows, options):
    """The rows of `power --windows`, in the order of `windows`: (name, start, stop)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "windows.csv")
        with open(path, "w") as f:
            f.write("event,start,stop\n")
            for name, a, b in windows:
                f.write(f"{name},{show_time(a)},{show_time(b)}\n")
        got = subprocess.run([program, "power", log, "--windows", path, "-f", "csv", *options], capture_output=True,
                             text=True)
    if got.returncode != 0:
        check(f"{log} {options}: exit {got.returncode}: {got.stderr}", False)
        return {}, got.stderr
    return {r["event"]: r for r in csv.DictReader(io.StringIO(got.stdout))}, got.stderr


# --- simulated sensors -----------------------------------------------------------------------------------


def make_load(rng, seconds):
    t, watt, x = [], [], -5.0
    shortest = math.exp(rng.uniform(math.log(0.05), 0))
    while x < seconds:
        t.append(x)
        watt.append(rng.uniform(40, 400))
        x += shortest * rng.uniform(1, 10)
    return t, watt


class Levels:
    def __init__(self, t, watt):
        self.t, self.watt, self.sum = t, watt, [0.0]
        for i in range(1, len(t)):
            self.sum.append(self.sum[-1] + (t[i] - t[i - 1]) * watt[i - 1])

    def until(self, x):
        i = max(bisect.bisect_right(self.t, x) - 1, 0)
        return self.sum[i] + (x - self.t[i]) * self.watt[i]


def make_log(rng, load, seconds, period, window, interval):
    phase, x, t, p = rng.uniform(0, period), 0.0, [], []
    last, noise = None, 0.0
    while x < seconds:
        renewed = math.floor((x - phase) / period) * period + phase
        if renewed != last:
            noise, last = rng.uniform(-0.1, 0.1), renewed
        mean = (load.until(renewed) - load.until(renewed - window)) / window
        t.append(round(x, 3))
        p.append(round(mean + noise, 2))
        x += interval * rng.uniform(0.8, 1.3)
    return t, p


def write_log(path, t, p, column):
    with open(path, "w") as f:
        f.write(f"timestamp,{column} [W]\n")
        for a, b in zip(t, p):
            f.write(f"{show_time(1e9 + a)},{b:.2f}\n")


def simulated(program, folder):
    rng = random.Random(13)
    held, n = {"known": 0, "log": 0}, 0
    for case in range(24):
        seconds = 30.0
        load = Levels(*make_load(rng, seconds + 5))
        period = math.exp(rng.uniform(math.log(0.02), 0))
        window = period if case % 3 == 0 else math.exp(rng.uniform(math.log(0.02), math.log(2)))
        t, p = make_log(rng, load, seconds, period, window, math.exp(rng.uniform(math.log(0.005), math.log(0.1))))
        instant = case % 2 == 1 and window <= period
        log = os.path.join(folder, "log.csv")
        write_log(log, t, p, "power.draw.instant" if instant else "power.draw")
        windows = []
        for i in range(40):
            length = 0.1 * 40 ** rng.uniform(0, 1)
            a = round(rng.uniform(2, seconds - length - 3), 4)
            windows.append((f"w{i}", 1e9 + a, 1e9 + a + round(length, 4)))
        say = ["--sensor", f"period={period:.9f}s,window={window:.9f}s,gain=1,offset=0"]
        shifted = [1e9 + x for x in t]
        for kind, options in (("log", []), ("known", say)):
            if kind == "log":
                mine = Sensor(shifted, p, instant)
            else:
                mine = Sensor(shifted, p, instant, own=(1.0, 0.0, 1.0), window=window, period=period)
            got, said = run_windows(program, log, windows, options)
            for name, a, b in windows:
                if name not in got:
                    continue
                e, half = mine.energy(a, b)
                r = got[name]
                low, high, value = (number(r[k]) for k in ("energy_low_j", "energy_high_j", "energy_j"))
                check(f"simulated {case} {kind} {name}: {low} {value} {high}, expected {e} -+ {half}; {said}",
                      abs(value - e) <= 1e-5 * abs(e) + 1e-4 and abs(high - (e + half)) <= 1e-3 * (e + half)
                      and abs(low - max(e - half, 0)) <= 1e-3 * (e + half))
                truth = load.until(b - 1e9) - load.until(a - 1e9)
                held[kind] += low <= truth <= high
        n += len(windows)
    print(f"simulated: {held['known']} of {n} windows held with the sensor known, {held['log']} from the log")
    check("too few of the windows of known sensors hold the truth", held["known"] >= 0.95 * n)
    check("too few of the windows hold the truth with the sensor read from the log", held["log"] >= 0.90 * n)


def beside_a_load(program, folder):
    """Random windows across a train that only --load tells of: its ripple widens their interval."""
    rng = random.Random(15)
    edges, watt, bursts = [-5.0], [60.0], []
    for i in range(80):
        a = 3 + i * 0.104
        edges += [a, a + 0.054]
        watt += [300.0, 60.0]
        bursts.append((a, a + 0.054))
    load = Levels(edges, watt)
    t, p = make_log(rng, load, 15, 0.1, 0.1, 0.007)
    log, ran = os.path.join(folder, "beside.csv"), os.path.join(folder, "load.csv")
    write_log(log, t, p, "power.draw")
    with open(ran, "w") as f:
        f.write("event,start,stop\n")
        f.writelines(f"burst {i},{show_time(1e9 + a)},{show_time(1e9 + b)}\n" for i, (a, b) in enumerate(bursts))
    windows = []
    for i in range(100):
        a = round(rng.uniform(3.5, 10.5), 4)
        windows.append((f"w{i}x", 1e9 + a, 1e9 + a + 0.25))
    say = ["--sensor", "gain=1,offset=0"]
    held = []
    for options in (say, say + ["--load", ran]):
        got, _ = run_windows(program, log, windows, options)
        held.append(sum(number(got[n]["energy_low_j"]) <= load.until(b - 1e9) - load.until(a - 1e9)
                        <= number(got[n]["energy_high_j"]) for n, a, b in windows))
    check(f"windows in a train: {held[0]} held, {held[1]} with --load", held[0] < 80 and held[1] >= 95)


def held_by(program, log, load, seconds, rng, length, options):
    """How many of 60 random windows of a length hold the truth."""
    windows = []
    for i in range(60):
        a = round(rng.uniform(2, seconds - length - 3), 4)
        windows.append((f"w{i}x", 1e9 + a, 1e9 + a + length))
    got, _ = run_windows(program, log, windows, options)
    return sum(number(got[n]["energy_low_j"]) <= load.until(b - 1e9) - load.until(a - 1e9) <= number(got[n]["energy_high_j"])
               for n, a, b in windows)


def bursts_in_no_rhythm(program, folder):
    """Short bursts far apart through a mean over 0.4 to 1.2 s, whose readings rise as fast as a short window's: that the
    load is told shows the window, rhythm or not."""
    rng = random.Random(18)
    held, alone, n = 0, 0, 0
    for case in range(10):
        idle, top, x, edges, watt, bursts = rng.uniform(20, 80), rng.uniform(200, 450), 1.5, [-5.0], [], []
        watt.append(idle)
        while x < 20:
            length = math.exp(rng.uniform(math.log(0.02), math.log(0.3)))
            edges += [x, x + length]
            watt += [top, idle]
            bursts.append((x, x + length))
            x += length + rng.uniform(0.3, 3)
        load, period, window = Levels(edges, watt), rng.uniform(0.05, 0.2), rng.uniform(0.4, 1.2)
        t, p = make_log(rng, load, 24, period, window, 0.01)
        log, ran = os.path.join(folder, "sparse.csv"), os.path.join(folder, "load.csv")
        write_log(log, t, p, "power.draw")
        with open(ran, "w") as f:
            f.write("event,start,stop\n")
            f.writelines(f"burst {i},{show_time(1e9 + a)},{show_time(1e9 + b)}\n" for i, (a, b) in enumerate(bursts))
        say = ["--sensor", "gain=1,offset=0"]
        for length in (0.25, 1):
            held += held_by(program, log, load, 24, rng, length, say + ["--load", ran])
            alone += held_by(program, log, load, 24, rng, length, say)
            n += 60
    print(f"bursts in no rhythm: {held} of {n} windows held with --load, {alone} without")
    check("bursts in no rhythm do not tell the window", held >= 0.95 * n and alone < held)


def a_window_as_long_as_the_train(program, folder):
    """A mean over about one period of a train lies still: its unrest says nothing, the train does."""
    rng = random.Random(19)
    held = n = 0
    for case in range(8):
        length = rng.uniform(0.4, 1.0)
        share, window, period = rng.uniform(0.3, 0.7), length * rng.uniform(0.85, 0.97), rng.uniform(0.02, 0.04)
        edges, watt, bursts = [-5.0], [60.0], []
        for i in range(int(20 / length)):
            a = 1.5 + i * length
            edges += [a, a + share * length]
            watt += [300.0, 60.0]
            bursts.append((a, a + share * length))
        load = Levels(edges, watt)
        t, p = make_log(rng, load, 24, period, window, 0.01)
        log, ran = os.path.join(folder, "still.csv"), os.path.join(folder, "load.csv")
        write_log(log, t, p, "power.draw")
        with open(ran, "w") as f:
            f.write("event,start,stop\n")
            f.writelines(f"burst {i},{show_time(1e9 + a)},{show_time(1e9 + b)}\n" for i, (a, b) in enumerate(bursts))
        say = ["--load", ran, "--sensor", f"period={period:.9f}s,window={window:.9f}s,gain=1,offset=0"]
        for of in (0.25, 0.5):
            held += held_by(program, log, load, 22, rng, of, say)
            n += 60
    print(f"a window as long as the train: {held} of {n} windows held")
    check("a train that a mean over its period hides is not doubted", held >= 0.95 * n)


def trains(program, folder):
    rng = random.Random(14)
    for case in range(8):
        part = case % 2 == 0
        period = rng.uniform(0.08, 0.15)
        burst, rest = period * rng.uniform(0.3, 0.7), period * rng.uniform(0.3, 0.7)
        if abs(burst + rest - period) < 0.05 * period:  # always the same part of a burst: nothing can tell that
            rest += 0.2 * period
        window = period * (rng.uniform(0.15, 0.5) if part else rng.uniform(1, 8))
        edges, watt, windows = [-5.0], [60.0], []
        for i in range(80):
            a = 3 + i * (burst + rest)
            edges += [a, a + burst]
            watt += [300.0, 60.0]
            windows.append((f"burst {i + 1}", 1e9 + a, 1e9 + a + burst))
        load = Levels(edges, watt)
        t, p = make_log(rng, load, 7 + 80 * (burst + rest), period, window, period / 9)
        log = os.path.join(folder, "train.csv")
        write_log(log, t, p, "power.draw")
        whole = [("load", windows[0][1], windows[-1][2])]
        got, said = run_windows(program, log, windows + whole, ["--bursts"])
        one = [number(got[w[0]]["energy_j"]) for w in windows]
        if part:
            check(f"train {case}: a train seen in part is not refused: {said}", all(math.isnan(e) for e in one) and got["load"]["energy_low_j"] == ""
                  and "sees only part" in said)
        else:
            check(f"train {case}: a burst takes {300 * burst:.2f} J, not {one[:3]}: {said}",
                  all(abs(e - 300 * burst) <= 0.05 * 300 * burst for e in one))
            low, high = number(got["load"]["energy_low_j"]), number(got["load"]["energy_high_j"])
            truth = load.until(whole[0][2] - 1e9) - load.until(whole[0][1] - 1e9)
            check(f"train {case}: {truth} J are not in {low} to {high}", low <= truth <= high)


# --- cards that nobody has measured ---------------------------------------------------------------------


class Sampled:
    """Energy up to an instant of a power given every 0.5 ms."""

    def __init__(self, watt):
        self.sum = [0.0]
        for w in watt:
            self.sum.append(self.sum[-1] + w * 0.0005)

    def until(self, x):
        i = min(max(int(x / 0.0005), 0), len(self.sum) - 2)
        return self.sum[i] + (x / 0.0005 - i) * (self.sum[i + 1] - self.sum[i])

    def between(self, a, b):
        return self.until(b) - self.until(a)


def unseen_load(rng, kind, seconds):
    """A GPU's power with rounded edges, waves and noise, and when it was on."""
    on, runs, x = [0.0] * int(seconds * 2000), [], 3.0
    period, share = (rng.uniform(0.3, 2) if kind == "square" else rng.uniform(0.08, 0.3)), rng.uniform(0.35, 0.65)
    while x < seconds - 4 and not (kind == "step" and runs):
        length = {"step": 6.0, "random": math.exp(rng.uniform(math.log(0.05), math.log(3)))}.get(kind, period * share)
        runs.append((x, min(x + length, seconds - 4)))
        for i in range(int(x * 2000), int(runs[-1][1] * 2000)):
            on[i] = rng.uniform(0.2, 1) if kind == "random" and i == int(x * 2000) else on[i - 1] if kind == "random" else 1.0
        x += length * rng.uniform(1, 2) if kind == "random" else period
    idle, top, level, watt = rng.uniform(15, 60), rng.uniform(150, 450), 0.0, []
    follow = 1 - math.exp(-0.0005 / rng.uniform(0.001, 0.008))
    for i, v in enumerate(on):
        level += follow * (v - level)
        watt.append(idle + (top - idle) * level + rng.gauss(0, 1) + 5 * level * math.sin(i / 950))
    return watt, runs


def unseen_cards(program, folder):
    """Gains of 0.93 to 1.07, offsets within 8 W, windows of 25, 100 and 1000 ms, a meter of 1 kHz beside them."""
    rng = random.Random(16)
    held = {}
    for case, kind in enumerate(("step", "square", "random", "bursts", "square", "step")):
        seconds, period = 16.0, (0.1, 0.1, 0.02, 0.1, 0.02, 0.05)[case]
        short = (0.1, 0.025, 0.1, 0.1, 0.1, 0.025)[case]
        gain, offset = rng.uniform(0.93, 1.07), rng.uniform(-8, 8)
        watt, runs = unseen_load(rng, kind, seconds)
        truth, t, x, pace = Sampled(watt), [], 0.0, rng.uniform(0.004, 0.012)
        while x < seconds - 0.05:
            t.append(x)
            x += pace * rng.uniform(0.9, 1.2)
        columns = []
        for window in (short, 1.0):
            phase, last, p = rng.uniform(0, period), None, []
            for x in t:
                renewed = max(math.floor((x - phase) / period) * period + phase, window)
                if renewed != last:
                    last, v = renewed, gain * truth.between(renewed - window, renewed) / window + offset + rng.gauss(0, 0.05)
                p.append(max(v, 0.0))
            columns.append(p)
        log, meter, ran = (os.path.join(folder, f"unseen-{n}.csv") for n in ("smi", "meter", "load"))
        with open(log, "w") as f:
            f.write("timestamp, name, index, power.draw.average [W], power.draw.instant [W]\n")
            f.writelines(f"{show_time(1e9 + a)}, Unseen 1, 0, {s:.2f} W, {i:.2f} W\n" for a, i, s in zip(t, *columns))
        with open(meter, "w") as f:
            f.write("timestamp,power_w\n")
            f.writelines(f"{show_time(1e9 + i / 2000)},{(watt[i] + watt[i + 1]) / 2:.3f}\n" for i in range(0, len(watt) - 1, 2))
        with open(ran, "w") as f:
            f.write("event,start,stop\n")
            f.writelines(f"run {k},{show_time(1e9 + a)},{show_time(1e9 + b)}\n" for k, (a, b) in enumerate(runs))
        windows = [("load", 1e9 + runs[0][0], 1e9 + runs[-1][1])]
        for length in LENGTHS:
            for k in range(25):
                a = round(rng.uniform(1.5, seconds - 2.5 - length), 4)
                windows.append((f"{length}s {k}x", 1e9 + a, 1e9 + a + length))
        for column, window in (("instant", short), ("average", 1.0)):
            beside = ["--power-column", column, "--load", ran]
            said = subprocess.run([program, "power", log, "--power-column", column, "--calibrate", meter, "-f", "csv"],
                                  capture_output=True, text=True)
            own = next(csv.DictReader(io.StringIO(said.stdout)), {"sensor": "gain=1"})["sensor"]
            known = f"period={period}s,window={window}s,gain={gain},offset={offset}"
            for kind_of, options in (("log", []), ("known", ["--sensor", known]), ("calibrated", ["--sensor", own])):
                got, _ = run_windows(program, log, windows, beside + options)
                for name, a, b in windows:
                    r = got.get(name, {"energy_low_j": ""})
                    if r["energy_low_j"]:
                        h = held.setdefault(kind_of, [0, 0])
                        h[0] += number(r["energy_low_j"]) <= truth.between(a - 1e9, b - 1e9) <= number(r["energy_high_j"])
                        h[1] += 1
                if kind_of != "log" and window <= 0.1:
                    e = number(got["load"]["energy_j"]) / truth.between(windows[0][1] - 1e9, windows[0][2] - 1e9) - 1
                    check(f"unseen {case} {kind} {column} {kind_of}: {100 * e:+.2f} % over the load", abs(e) <= 0.02)
    print("unseen cards: " + ", ".join(f"{h} of {n} windows held, {k}" for k, (h, n) in held.items()))
    for kind_of, least in (("log", 0.90), ("known", 0.95), ("calibrated", 0.95)):
        h, n = held[kind_of]
        check(f"unseen cards: {h} of {n} windows hold the truth, {kind_of}", n > 1000 and h >= least * n)


# --- pairs of a run ---------------------------------------------------------------------------------------


def pairs_of_a_run(program):
    """energy_low_j and energy_high_j of `join` and `events` on data/, whose sensors do not show."""
    sensors = sensors_of(os.path.join(ROOT, "data", "gpu.csv"), "gpuUUID")
    got = subprocess.run([program, "power", os.path.join(ROOT, "data"), "-q", "-f", "csv"], capture_output=True, text=True)
    rows = {r["gpu"].split("/")[-1]: r for r in csv.DictReader(io.StringIO(got.stdout))}
    check(f"power data/: {len(rows)} rows, expected {len(sensors)} and a total", len(rows) == len(sensors) + 1)
    for gpu, mine in sensors.items():
        e, whole = mine.curve.until(mine.t[-1]), mine.sum()
        check(f"power data/ {gpu}: expected {e} J", abs(number(rows[gpu]["energy_trapezoid_j"]) - e) <= 1e-6 * e)
        check_interval(f"power data/ {gpu}", rows[gpu], whole)
    got = subprocess.run([program, "gpus", os.path.join(ROOT, "data"), "-q", "-f", "csv"], capture_output=True, text=True)
    for r in csv.DictReader(io.StringIO(got.stdout)):
        log = rows[r["gpu_uuid"]]  # what power says of its log
        for mine, own in (("energy_j", "energy_sensor_j"), ("energy_low_j", "energy_low_j"), ("energy_high_j", "energy_high_j")):
            check(f"gpus {r['gpu_uuid']}: {mine} {r[mine]}", abs(number(r[mine]) - number(log[own])) <= 1e-9 * number(log[own]))
    run = [program, "join", os.path.join(ROOT, "data"), "--join", "window", "-q", "-f", "csv"]
    rows = list(csv.DictReader(io.StringIO(subprocess.run(run, capture_output=True, text=True).stdout)))
    check("join of data/ has no rows", len(rows) > 1000)
    groups = {}
    for r in rows:
        mine = sensors[r["gpu_uuid"]]
        a, b = parse_time(r["start"]), parse_time(r["stop"])
        one = mine.sum(a, b)
        check("a sensor of data/ shows", mine.shift == 0.3)
        check(f"join {r['event']} {r['task_id']}: {r['energy_j']} J, expected {one.e}", (r["energy_j"] == "") == (one.n == 0))
        if r["energy_j"]:
            check(f"join {r['event']} {r['task_id']}: {r['energy_j']} J, expected {one.e}", abs(number(r["energy_j"]) - one.e) <= 1e-6 * one.e + 1e-5)
            check_interval(f"join {r['event']} {r['task_id']}", r, one)
            groups.setdefault(r["event"], Sum()).add(one)
    run[1] = "events"
    for r in csv.DictReader(io.StringIO(subprocess.run(run, capture_output=True, text=True).stdout)):
        check_interval(f"events {r['event']}", r, groups[r["event"]])


def check_interval(where, r, s, names=("energy_low_j", "energy_high_j")):
    low, high = (number(r[n]) for n in names)
    if s.refused():
        check(f"{where}: {low} to {high}, expected none", math.isnan(low) and math.isnan(high))
    else:
        near = 1e-3 * s.half() + 1e-5   # the models are rounded here
        check(f"{where}: {low} to {high}, expected {s.e} -+ {s.half()}",
              abs(high - s.e - s.half()) <= near and abs(low - s.low()) <= near)


def events_of_unseen_cards(program, folder):
    """Sums of many events of one kind: every burst loses to the rests around it what the running mean smears, which no
    number of them makes up for. `events --join window` of trains, of bursts in no rhythm and of steps; the sensor read from
    the samples, and known."""
    rng = random.Random(33)
    held = {"log": [0, 0], "known": [0, 0]}
    run = os.path.join(folder, "smeared")
    os.mkdir(run)
    for case in range(16):
        period, interval = rng.choice((0.02, 0.05, 0.1)), rng.uniform(0.004, 0.01)
        window = period if case % 4 else min(period * rng.uniform(2, 6), 0.4)
        idle, top, x, edges, watt, spans = rng.uniform(20, 60), rng.uniform(150, 400), 2.0, [-5.0], [], []
        watt.append(idle)
        length = math.exp(rng.uniform(math.log(0.03), math.log(1.5)))
        step = length * rng.uniform(1.6, 4) + 0.2
        while x < 22:
            own = length * rng.uniform(0.9, 1.1)
            edges += [x, x + own]
            watt += [top, idle]
            spans.append((x, x + own))
            x += step * (rng.uniform(0.5, 1.5) if case % 2 else 1)
        load = Levels(edges, watt)
        t, p = make_log(rng, load, 26, period, window, interval)
        with open(os.path.join(run, "gpu.csv"), "w") as f:
            f.write("timestamp,hostname,gpuUUID,power.draw [W]\n")
            f.writelines(f"{show_time(1e9 + a)},h,g,{b:.2f}\n" for a, b in zip(t, p))
        with open(os.path.join(run, "spans.csv"), "w") as f:
            f.write("event,start,stop,hostname,task\n")
            f.writelines(f"work,{show_time(1e9 + a)},{show_time(1e9 + b)},h,{k}\n" for k, (a, b) in enumerate(spans))
        truth = sum(load.until(b) - load.until(a) for a, b in spans)
        say = ["--sensor", f"period={period}s,window={window:.9f}s,gain=1,offset=0"]
        for kind, options in (("log", ["--sensor", "gain=1,offset=0"]), ("known", say)):
            got = subprocess.run([program, "events", run, "--join", "window", "-q", "-f", "csv", *options],
                                 capture_output=True, text=True)
            r = next(csv.DictReader(io.StringIO(got.stdout)), {"energy_low_j": ""})
            # Events not longer than two of the sensor's periods are what the rule names as excepted: they are told, not asked.
            which = kind if length >= 2 * period else kind + ", shorter than two periods"
            if r["energy_low_j"]:
                of = held.setdefault(which, [0, 0])
                of[0] += number(r["energy_low_j"]) <= truth <= number(r["energy_high_j"])
                of[1] += 1
    print("sums of events: " + ", ".join(f"{h} of {n} held, {k}" for k, (h, n) in held.items()))
    for kind, least in (("log", 0.9), ("known", 0.95)):
        h, n = held[kind]
        check(f"sums of events: {h} of {n} hold the truth, {kind}", n >= 8 and h >= least * n)


def rows_of(program, *args):
    got = subprocess.run([program, *args, "-q", "-f", "csv"], capture_output=True, text=True)
    check(f"{args}: {got.stderr}", got.returncode == 0)
    return list(csv.DictReader(io.StringIO(got.stdout)))


def sensors_of(path, key):
    samples = {}
    with open(path) as f:
        for r in csv.DictReader(f):
            if r["powerDrawWatt"]:
                samples.setdefault(r[key], {}).setdefault(parse_time(r["timestamp"]), []).append(float(r["powerDrawWatt"]))
    return {k: Sensor(sorted(at), [sum(at[x]) / len(at[x]) for x in sorted(at)], False) for k, at in samples.items()}


def balance_of_a_run(program):
    """The energy of a run and its interval through every door: the logs of its GPUs, first reading to last."""
    whole = Sum()
    for sensor in sensors_of(os.path.join(ROOT, "data", "gpu.csv"), "gpuUUID").values():
        whole.add(sensor.sum())
    ends = {"balance": ("energy_j", "energy_low_j", "energy_high_j"), "power": ("energy_sensor_j", "energy_low_j", "energy_high_j")}
    totals = {}
    for command, names in ends.items():
        totals[command] = r = rows_of(program, command, os.path.join(ROOT, "data"))[-1]
        check(f"{command}: {r[names[0]]} J in all, expected {whole.e}", abs(number(r[names[0]]) - whole.e) <= 1e-9 * whole.e)
        check_interval(command + " in all", r, whole)
    check("balance and power: other totals", [totals["balance"][c] for c in ends["balance"]] == [totals["power"][c] for c in ends["power"]])
    by_gpu = sum(number(r["energy_j"]) for r in rows_of(program, "gpus", os.path.join(ROOT, "data")))
    check(f"gpus: {by_gpu} J in all, expected {whole.e}", abs(by_gpu - whole.e) <= 1e-9 * whole.e)


def waste_of(sensors, tasks):
    """Gaps of each worker and its tail, {worker: (Sum, Sum)}, and the sums of all; with each the seconds asked for."""
    end = max(b for rows in tasks.values() for _, b in rows)
    rows, sums = {}, ([Sum(), 0.0], [Sum(), 0.0])
    for worker, spans in tasks.items():
        last, gaps = None, []
        for a, b in sorted(spans):
            if last is not None and a > last:
                gaps.append((last, a))
            last = b if last is None else max(last, b)
        rows[worker] = []
        for part, sum_of in ((gaps, sums[0]), ([(last, end)] if end > last else [], sums[1])):
            own = [Sum(), 0.0]
            for a, b in part:
                own[0].add(sensors[worker].sum(a, b))
                own[1] += b - a
            sum_of[0].add(own[0])
            sum_of[1] += own[1]
            rows[worker].append(own)
    return rows, sums


def check_waste(where, r, gaps, tail):
    for (s, length), (energy, *ends, coverage) in (
            (gaps, ("gap_energy_j", "energy_low_j", "energy_high_j", "gap_coverage_pct")),
            (tail, ("tail_energy_j", "tail_energy_low_j", "tail_energy_high_j", "tail_coverage_pct"))):
        if s.n == 0:
            check(f"{where} {energy}: {r[energy]}, expected none", r[energy] == r[ends[0]] == r[ends[1]] == "")
            continue
        check(f"{where} {energy}: {r[energy]}, expected {s.e}", abs(number(r[energy]) - s.e) <= 1e-6 * abs(s.e) + 1e-3)
        check_interval(f"{where} {energy}", r, s, ends)
        check(f"{where} {coverage}: {r[coverage]}, expected {100 * s.inside / length}", abs(number(r[coverage]) - 100 * s.inside / length) <= 1e-3)


def waste_of_a_run(program, folder):
    """What `schedule` says of gaps and of the tail, of data/ and of a run whose sensors show in their samples."""
    tasks, began = {}, {}
    seen = set()
    with open(os.path.join(ROOT, "data", "application-checkpoints.csv")) as f:
        for r in csv.DictReader(f):
            key = tuple(r.values())
            if r["eventName"] != "TotalRender" or key in seen:
                continue
            seen.add(key)
            at = began.setdefault((r["hostname"], r["jobId"], r["taskId"]), {})
            at[r["eventType"]] = parse_time(r["timestamp"])
    for (host, _, _), at in began.items():
        if len(at) == 2 and at["STOP"] >= at["START"]:
            tasks.setdefault(host, []).append((at["START"], at["STOP"]))
    sensors = sensors_of(os.path.join(ROOT, "data", "gpu.csv"), "hostname")
    want, sums = waste_of(sensors, tasks)
    by_host = {r["hostname"]: r for r in rows_of(program, "schedule", os.path.join(ROOT, "data"), "--by", "host")}
    check("schedule of data/ has other workers", set(by_host) == set(want))
    for host, (gaps, tail) in want.items():
        check_waste(f"schedule data/ {host}", by_host[host], gaps, tail)
    check_waste("schedule data/", rows_of(program, "schedule", os.path.join(ROOT, "data"))[-1], *sums)

    rng, run = random.Random(31), os.path.join(folder, "waste")
    os.mkdir(run)
    sensors, tasks = {}, {}
    with open(os.path.join(run, "gpu.csv"), "w") as g, open(os.path.join(run, "events.csv"), "w") as f:
        g.write("timestamp,hostname,gpuUUID,power.draw [W]\n")
        f.write("event,start,stop,hostname,gpu,task\n")
        for w in range(6):
            ends = rng.uniform(14, 24)
            load, x, spans = [[-5.0], [50.0]], 1.0, []
            while x < ends:
                length = rng.uniform(0.8, 4)
                spans.append((round(1e9 + x, 3), round(1e9 + x + length, 3)))
                for at, watt in ((x, rng.uniform(150, 300)), (x + length, rng.uniform(40, 60))):
                    load[0].append(at)
                    load[1].append(watt)
                x += length + rng.uniform(0.1, 2)
            t, p = make_log(rng, Levels(*load), 32 if w != 2 else ends, 0.1, 0.1 if w % 2 else 1.0, 0.015)
            if w == 4:  # a gap in its tail
                keep = [i for i in range(len(t)) if not ends + 1.5 < t[i] < ends + 3]
                t, p = [t[i] for i in keep], [p[i] for i in keep]
            sensors[f"g{w}"] = Sensor([1e9 + v for v in t], p, False)
            tasks[f"g{w}"] = spans
            g.writelines(f"{show_time(1e9 + a)},h{w // 2},g{w},{b:.2f}\n" for a, b in zip(t, p))
            f.writelines(f"TotalRender,{show_time(a)},{show_time(b)},h{w // 2},g{w},{w}-{k}\n" for k, (a, b) in enumerate(spans))
    want, sums = waste_of(sensors, tasks)
    got = {r["gpu_uuid"]: r for r in rows_of(program, "schedule", run, "--by", "host")}
    for gpu, (gaps, tail) in want.items():
        check_waste(f"schedule waste {gpu}", got[gpu], gaps, tail)
    check("no gap in the tail of g4", number(got["g4"]["tail_coverage_pct"]) < 99 < number(got["g1"]["tail_coverage_pct"]))
    whole = rows_of(program, "schedule", run)[-1]
    check_waste("schedule waste", whole, *sums)
    parts = []
    for k in (1, 2, 3):
        parts.append(os.path.join(folder, f"waste.{k}"))
        subprocess.run([program, "schedule", run, "--shard", f"{k}/3", "--partial", parts[-1], "-q"], check=False)
    merged = subprocess.run([program, "merge", *reversed(parts), "-q", "-f", "csv"], capture_output=True, text=True).stdout
    check("schedule of three shards is another one", list(csv.DictReader(io.StringIO(merged)))[-1:] == [whole])
    print(f"waste: {float(whole['gap_energy_j']):.0f} J in gaps, {float(whole['tail_energy_j']):.0f} J in the tail")


# --- energy counters ---------------------------------------------------------------------------------------


class Counter:
    """Used since the first reading: [(t, J)] in Fractions. A fall is a reset if the GPU can have used as much since, at
    twice its largest power; then the power readings, {t: W}, say what was used. Else it is a step back."""

    def __init__(self, rows, watts):
        at = {}
        for t, v in rows:
            at[t] = max(v, at.get(t, v))
        self.t, self.used, self.resets = sorted(at), [], 0
        for i, t in enumerate(self.t):
            v, last = at[t], at[self.t[i - 1]]
            reset = i > 0 and v < last and v <= 2 * max(watts.values()) * (t - self.t[i - 1])
            between = sorted(x for x in watts if reset and self.t[i - 1] <= x <= t)
            drawn = sum((watts[x] + watts[y]) / 2 * (y - x) for x, y in zip(between, between[1:]))
            self.used.append(Fraction(0) if i == 0 else self.used[-1] + (drawn if reset else v - last))
            self.resets += reset

    def until(self, x):
        i = bisect.bisect_right(self.t, x) - 1
        if i < 0 or x > self.t[-1]:
            return None
        if self.t[i] == x:
            return self.used[i]
        width = self.t[i + 1] - self.t[i]
        return self.used[i] + (self.used[i + 1] - self.used[i]) * (x - self.t[i]) / width

    def between(self, a, b):
        x, y = self.until(a), self.until(b)
        return None if x is None or y is None else y - x


def counters_of_a_run(program, folder):
    """energy_counter_j and counter_difference_pct of join, events, zoom and gpus: 3 GPUs, a reset, holes, rows twice."""
    rng = random.Random(17)
    run = os.path.join(folder, "counted")
    os.mkdir(run)
    samples, counters, watts = [], {}, {}
    for gpu in "abc":
        joule, x = rng.uniform(0, 5000), 0.0
        for i in range(900):
            step = rng.choice((0.4, 0.5, 0.6)) if i != 500 else 30.0
            x = round(x + step, 1)
            watt = round(rng.uniform(50, 300), 2)
            joule = round(joule + step * rng.uniform(60, 310), 3)
            if gpu == "b" and i == 300:
                joule = 3.25
            there = gpu != "c" or i < 600
            samples.append((x, gpu, watt, joule if there and rng.random() < 0.97 else None))
            if rng.random() < 0.02:
                samples.append(samples[-1])
    rng.shuffle(samples)
    for x, gpu, watt, joule in samples:
        watts.setdefault(gpu, {})[Fraction(round(x * 10), 10)] = Fraction(round(watt * 100), 100)
        if joule is not None:
            counters.setdefault(gpu, []).append((Fraction(round(x * 10), 10), Fraction(round(joule * 1000), 1000)))
    counter = {g: Counter(rows, watts[g]) for g, rows in counters.items()}
    with open(os.path.join(run, "gpu.csv"), "w") as f:
        f.write("timestamp,hostname,gpuUUID,powerDrawWatt,total_energy_consumption [J]\n")
        for x, gpu, watt, joule in samples:
            f.write(f"{show_time(1e9 + x)},{'h' if gpu < 'c' else 'i'},{gpu},{watt},{'' if joule is None else joule}\n")
    spans = []
    with open(os.path.join(run, "events.csv"), "w") as f:
        f.write("event,start,stop,hostname,gpu,task\n")
        for k in range(150):
            gpu = rng.choice(["a", "b", "c", ""])
            a = round(rng.uniform(-5, 470), 3)
            b = round(a + rng.choice((0.0, 0.3, 2.0, 20.0, 90.0)), 3)
            spans.append((f"e{k % 3}", a, b, gpu, k))
            f.write(f"e{k % 3},{show_time(1e9 + a)},{show_time(1e9 + b)},{'i' if gpu == 'c' else 'h'},{gpu},{k}\n")

    def rows_of(*args):
        got = subprocess.run([program, *args, run, "-v", "-f", "csv"], capture_output=True, text=True)
        check(f"{args}: {got.stderr}", got.returncode == 0)
        return list(csv.DictReader(io.StringIO(got.stdout))), got.stderr

    groups, n_known = {}, 0
    rows, said = rows_of("join")
    check(f"join: no reset is said: {said}", "energy counters of 1 GPU began anew 1 time" in said)
    check(f"join: {len(rows)} rows of {len(spans)}", len(rows) == len(spans))
    by_task = {r["task_id"]: r for r in rows}
    for name, a, b, gpu, k in spans:
        r = by_task[str(k)]
        x, y = Fraction(round(a * 1000), 1000), Fraction(round(b * 1000), 1000)
        parts = [counter[g].between(x, y) for g in ((gpu,) if gpu else "ab")]
        g = groups.setdefault(name, [0, 0.0, 0.0, 0.0, 0])
        if None in parts:
            check(f"join {k}: {r['energy_counter_j']}, expected none", r["energy_counter_j"] == "" and r["counter_difference_pct"] == "")
            continue
        used, e = float(sum(parts)), number(r["energy_j"])
        n_known += 1
        g[0] += 1
        g[1] += used
        check(f"join {k}: {r['energy_counter_j']}, expected {used}", abs(number(r["energy_counter_j"]) - used) <= 5e-6)
        if r["energy_j"] and number(r["coverage_pct"]) >= 99:
            g[2] += used
            g[3] += e
            pct = 100 * (used - e) / e
            check(f"join {k}: {r['counter_difference_pct']} %, expected {pct}", abs(number(r["counter_difference_pct"]) - pct) <= 1e-4 * abs(pct) + 1e-3)
        else:
            check(f"join {k}: {r['counter_difference_pct']} %, expected none", r["counter_difference_pct"] == "")
    check(f"{n_known} of 150 pairs have a counter", 60 < n_known < 140)
    for join in ("window", "nearest"):
        rows, said = rows_of("events", "--join", join)
        check(f"events: {said}", f"energy counters reach over {n_known} of 150 events" in said)
        for r in rows:
            n, used, both, e, _ = groups[r["event"]]
            pct = 100 * (both - e) / e
            check(f"events {r['event']}: {r['energy_counter_j']}, {r['counter_difference_pct']} %, expected {used}, {pct} %",
                  abs(number(r["energy_counter_j"]) - used) <= 1e-4 and abs(number(r["counter_difference_pct"]) - pct) <= 1e-3)
    rows, _ = rows_of("gpus", "--event", "e0")
    for r in rows:
        c = counter[r["gpu_uuid"]]
        check(f"gpus {r['gpu_uuid']}: {r['energy_counter_j']}", abs(number(r["energy_counter_j"]) - float(c.used[-1])) <= 1e-5)
        check(f"gpus {r['gpu_uuid']}: a gap of 30 s of 450 s is not covered", r["counter_difference_pct"] == "")
    counters_of_parts(rows_of, counter, watts, spans)
    counters_of_a_log(program, folder, samples, counter["a"])
    print(f"energy counters: {n_known} of 150 pairs have one")


def counters_of_parts(rows_of, counter, watts, spans):
    """balance: the events that run and enclose none of another name have equal portions; a stretch of the same parts
    counts where the counter reaches over it."""
    def at(x):
        return Fraction(round(x * 1000), 1000)

    want, window, of = {}, Fraction(0), Fraction(0)
    for gpu, watt in watts.items():
        first, last = min(watt), max(watt)
        own = [(n, at(a), at(b)) for n, a, b, g, _ in spans if b > a and (g == gpu or (g == "" and gpu < "c"))]
        cuts = sorted({first, last} | {x for _, a, b in own for x in (a, b) if first < x < last})
        begin, end, stretches = min(a for _, a, _ in own), max(b for _, _, b in own), []
        for x, y in zip(cuts, cuts[1:]):
            running = [e for e in own if e[1] <= x and y <= e[2]]
            parts = sorted(n for n, a, b in running if not any(n != m and a <= c and d <= b for m, c, d in running))
            if len(set(parts)) < 2:
                parts = parts[:1] or ["before the first event" if x < begin else
                                      "after the last event" if x >= end else "between events"]
            if stretches and stretches[-1][0] == parts:
                stretches[-1][2] = y
            else:
                stretches.append([parts, x, y])
        for parts, x, y in stretches:
            used = counter[gpu].between(x, y)
            window += y - x
            if used is not None:
                of += y - x
                for part in parts:
                    want[part] = want.get(part, 0) + used / len(parts)
    rows, said = rows_of("balance")
    for r in rows[:-2]:
        got, w = number(r["energy_counter_j"]), want.get(r["part"])
        check(f"balance {r['part']}: {got} J counted, expected {w}", w is not None and abs(got - float(w)) <= 2e-4)
    whole = sum(c.used[-1] for c in counter.values())                         # as gpus has it
    check("balance: another counter in all", abs(number(rows[-1]["energy_counter_j"]) - float(whole)) <= 1e-3)
    check(f"balance: {said}", f"energy counters reach over {float(100 * of / window):.1f} % of the time" in said)


def counters_of_a_log(program, folder, samples, counter):
    """energy_counter_j of `power --windows`, the same as that of pairs."""
    log = os.path.join(folder, "counter.csv")
    with open(log, "w") as f:
        f.write("timestamp,power.draw [W],total_energy_consumption [J]\n")
        f.writelines(f"{show_time(1e9 + x)},{w},{'' if j is None else j}\n" for x, g, w, j in sorted(samples, key=lambda s: s[0]) if g == "a")
    rng = random.Random(20)
    windows = [(f"w{k}x", round(rng.uniform(0, 470), 3), rng.choice((0.3, 2.0, 20.0, 90.0))) for k in range(150)]
    got, _ = run_windows(program, log, [(n, 1e9 + a, 1e9 + a + d) for n, a, d in windows], [])
    n_known = 0
    for name, a, length in windows:
        x = Fraction(round(a * 1000), 1000)
        want, r = counter.between(x, x + Fraction(str(length))), got[name]
        n_known += want is not None
        check(f"power --windows {name}: {r['energy_counter_j']}, expected {want}", (r["energy_counter_j"] == "") == (want is None))
        if want is None:
            continue
        check(f"power --windows {name}: {r['energy_counter_j']}, expected {want}", abs(number(r["energy_counter_j"]) - float(want)) <= 3e-6)
        beside = number(r["coverage_pct"]) >= 99
        pct = 100 * (float(want) / number(r["energy_j"]) - 1) if beside else math.nan
        check(f"power --windows {name}: {r['counter_difference_pct']} %, expected {pct}",
              abs(number(r["counter_difference_pct"]) - pct) <= 1e-3 if beside else r["counter_difference_pct"] == "")
    check(f"power --windows: {n_known} of 150 windows have a counter", 100 < n_known < 150)


# --- runs with a meter -----------------------------------------------------------------------------------

CARDS = {"3090": "NVIDIA_GeForce_RTX_3090", "A100": "NVIDIA_A100-PCIE-40GB", "K40m": "Tesla_K40m"}


def read_run(folder):
    with open(os.path.join(folder, "nvidia-smi.csv")) as f:
        rows = list(csv.reader(f))
    names = [c.strip().split(" ")[0] for c in rows[0]]
    rows = [r for r in rows[1:] if len(r) == len(names)]
    t = [parse_time(r[0], 3600) for r in rows]
    columns = {n: [float(r[i]) for r in rows] for i, n in enumerate(names) if n in ("power.draw", "power.draw.instant")}
    with open(os.path.join(folder, "bursts.csv")) as f:
        bursts = [(r["event"], parse_time(r["start"]), parse_time(r["stop"])) for r in csv.DictReader(f)]
    with open(os.path.join(folder, "meter-1khz.csv")) as f:
        meter = [(parse_time(r["timestamp"]), float(r["power_w"])) for r in csv.DictReader(f)]
    return t, columns, bursts, Integral([x for x, _ in meter], [y for _, y in meter])


def calibration(shared, card, column):
    """gain, offset and R^2 of the card's driver of these runs, 535, for this column."""
    with open(os.path.join(shared, "truth", "calibration-local-gpus.csv")) as f:
        for r in csv.DictReader(f):
            if r["gpu"] == card and r["option"] == column and r["driver"].startswith("535"):
                window = float(r["avg_window_ms"]) / 1e3 if r["avg_window_ms"] else None
                if window is None and float(r["rise_time_ms"]) >= 800:
                    window = 1.0
                return float(r["gain"]), float(r["intercept_w"]), float(r["r_squared"]), window
    return None


def plain_trapezoid(t, p, a, b):
    return Integral(t, p, 3 * median(y - x for x, y in zip(t, t[1:]))).between(a, b)


# Section F asks for 95 % of windows of 1, 3 and 6 s: they hold everywhere. What shorter windows, a length between them and
# the load's error with a calibration reach where that is less. Not to grow.
MISSED_WINDOWS = {("3090_5050 power.draw unknown", 0.25): 183, ("3090_5050 power.draw.instant unknown", 0.25): 174,
                  ("K40m_step power.draw calibrated", 2): 183}
MISSED_ERROR = {"K40m_step power.draw calibrated": 1.84}
# Median half widths of windows of 1, 3 and 6 s that version 0.2 had, by section F's table; at most a point more is asked.
HALF_WIDTHS = {"3090_step power.draw.instant unknown": (15, 12, 11), "3090_step power.draw.instant calibrated": (4.6, 3.2, 2.8),
               "3090_5050 power.draw.instant unknown": (11, 11, 11), "3090_5050 power.draw.instant calibrated": (3.6, 2.6, 2.5),
               "K40m_step power.draw unknown": (35, 27, 27)}


def hold_to_meter(program, shared, run):
    folder = os.path.join(shared, "truth", run)
    t, columns, bursts, meter = read_run(folder)
    a, b = bursts[0][1], bursts[-1][2]
    card = CARDS[run.split("_")[0]]
    for column, p in columns.items():
        gain, offset, r2, window = calibration(shared, card, column)
        short = window is None or window < 0.5
        say = f"gain={gain},offset={offset},r2={r2}" + (f",window={window}s" if window is not None else "")
        against = subprocess.run([program, "power", os.path.join(folder, "nvidia-smi.csv"), "--tz", "+01:00", "-f", "csv",
                                  "--power-column", column, "--calibrate", os.path.join(folder, "meter-1khz.csv")],
                                 capture_output=True, text=True).stdout
        own = next(csv.DictReader(io.StringIO(against)))["sensor"]
        kinds = (("unknown", []), ("by name", ["--card", card]), ("calibrated", ["--sensor", say]),
                 ("calibrated against the meter", ["--sensor", own]))
        for kind, options in kinds:
            rng = random.Random(7)
            where = f"{run} {column} {kind}"
            windows = [("load", a, b)]
            for length in LENGTHS:
                for i in range(200):
                    last = min(meter.t[-1], t[-1] - 0.6) - length
                    x = round(rng.uniform(max(meter.t[0], t[0]), last), 6)
                    windows.append((f"{length}s {i}x", x, round(x + length, 6)))
            train = bursts if len(bursts) > 1 else []
            got, said = run_windows(program, os.path.join(folder, "nvidia-smi.csv"), windows + train,
                                    ["--tz", "+01:00", "--power-column", column, "--bursts", *options])
            got = {k: (number(r["energy_j"]), number(r["energy_low_j"]), number(r["energy_high_j"]))
                   for k, r in got.items()}
            # --bursts leaves out what is shorter than the sensor and not repeated: those windows are asked without it.
            plain, _ = run_windows(program, os.path.join(folder, "nvidia-smi.csv"), windows + train,
                                   ["--tz", "+01:00", "--power-column", column, *options])
            for name, _, _ in windows:
                got[name] = tuple(number(plain[name][k]) for k in ("energy_j", "energy_low_j", "energy_high_j"))
            e = got["load"][0]
            error = 100 * (e / meter.between(a, b) - 1)
            limit = (1.5 if kind.startswith("calibrated") else 7.0) if short else 9.0
            limit = MISSED_ERROR.get(where, limit)
            check(f"{where}: {error:+.2f} % over the load, at most {limit}", abs(error) <= limit)
            if kind == "unknown" and not train:
                mine = Sensor(t, p, column.endswith("instant"))
                for name, x, y in windows:
                    e, half = mine.energy(x, y)
                    check(f"{where} {name}: {got[name]}, expected {e} -+ {half}",
                          abs(got[name][0] - e) <= 2e-4 * abs(e) + 1e-3 and abs(got[name][2] - e - half) <= 0.02 * half + 0.01)
            line = []
            for length in LENGTHS:
                mine = [(n, x, y) for n, x, y in windows if n.startswith(f"{length}s ")]
                held = sum(got[n][1] <= meter.between(x, y) <= got[n][2] for n, x, y in mine)
                check(f"{where}: {held} of 200 windows of {length} s hold the meter", held >= MISSED_WINDOWS.get((where, length), 190))
                line.append(f"{held / 2:.1f}")
                if where in HALF_WIDTHS and length in (1, 3, 6):
                    half, most = 100 * median((got[n][2] - got[n][0]) / meter.between(x, y) for n, x, y in mine), HALF_WIDTHS[where][(1, 3, 6).index(length)] + 1
                    check(f"{where}: median half width of {length} s {half:.1f} %, at most {most}", half <= most)
            wide = [(got[n][2] - got[n][0]) / got[n][0] for n, x, y in windows
                    if y - x >= 0.999 and meter.between(x, y) >= 250 * (y - x)]
            half = 100 * median(wide) if wide else math.nan
            if short and wide:
                most = {"unknown": 12, "by name": 6}.get(kind, 4)
                check(f"{where}: median half width {half:.1f} %, at most {most}", half <= most)
            ends = " to ".join(f"{100 * (x / meter.between(a, b) - 1):+.1f}" for x in got["load"][1:])
            text = f"{where}: {error:+.2f} % ({ends}), held {' '.join(line)} %, half width {half:.1f} %"
            if train:
                one = sum(got[n][0] for n, _, _ in train) / sum(meter.between(x, y) for _, x, y in train)
                limit = 0.07 if kind.startswith("calibrated") else 0.10
                check(f"{where}: bursts {100 * one - 100:+.1f} %", abs(one - 1) <= limit)
                text += f", bursts {100 * one - 100:+.1f} %"
            if kind == "unknown":
                plain = plain_trapezoid(t, p, a, b) / meter.between(a, b) - 1
                text += f" (meter {meter.between(a, b):.1f} J, plain trapezoid {100 * plain:+.1f} %)"
            print(text)


def main():
    program = os.path.abspath(sys.argv[1])
    shared = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "..", "shared", "data"))
    if not os.path.isdir(shared):
        shared = os.environ.get("SHARED", shared)
    with tempfile.TemporaryDirectory() as folder:
        simulated(program, folder)
        trains(program, folder)
        beside_a_load(program, folder)
        bursts_in_no_rhythm(program, folder)
        a_window_as_long_as_the_train(program, folder)
        unseen_cards(program, folder)
    pairs_of_a_run(program)
    balance_of_a_run(program)
    with tempfile.TemporaryDirectory() as folder:
        waste_of_a_run(program, folder)
        events_of_unseen_cards(program, folder)
    with tempfile.TemporaryDirectory() as folder:
        counters_of_a_run(program, folder)
    if os.path.isdir(os.path.join(shared, "truth")):
        for run in ("3090_5050", "3090_step", "A100_step", "K40m_step"):
            hold_to_meter(program, shared, run)
    else:
        print("skipped: no runs with a meter beside the tree")
    return end()


if __name__ == "__main__":
    sys.exit(main())
