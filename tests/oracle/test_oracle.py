#!/usr/bin/env python3
"""Holds the oracle to the bare definitions: every quantity again, by the slowest and plainest way.

  test_oracle.py [SEED]

Random small data sets, with ties, samples at the same instant, missing readings, gaps, orphans,
several GPUs on a host and hosts without one.
"""
import csv
import math
import os
import random
import sys
import tempfile
from argparse import Namespace
from decimal import Decimal
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import oracle  # noqa: E402

BASE = 1541662874 * 10**9
METRICS = (1, 2, 3, 4)


def make(directory, rnd, gpu_column):
    hosts = {"h%d" % i: ["h%dg%d" % (i, j) for j in range(rnd.choice((0, 1, 1, 2, 3)))] for i in range(4)}
    hosts["h0"] = hosts["h0"] or ["h0g0"]
    samples, points = [], []
    for host, gpus in hosts.items():
        for gpu in gpus:
            t = rnd.randrange(5)
            for _ in range(rnd.randrange(1, 25)):
                values = ["" if rnd.random() < 0.1 else "%.*f" % (rnd.randrange(3), rnd.uniform(0, 120)) for _ in range(4)]
                samples.append([t, host, "0" + gpu, gpu] + values)
                t += rnd.choice((0, 1, 2, 2, 2, 2, 3, 20))
    for i in range(40):
        host = rnd.choice(list(hosts))
        start = rnd.randrange(60)
        who = [rnd.choice(hosts[host] or ["none"])] if gpu_column else []
        event, task = rnd.choice(("A", "TotalRender")), "t%d" % rnd.randrange(12)
        points.append([start, host, event, "START", "j", task] + who)
        if rnd.random() < 0.95:
            points.append([start + rnd.choice((0, 1, 3, 10, 30)), host, event, "STOP", "j", task] + who)
    for name, header, rows in (
            ("gpu.csv", "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc", samples),
            ("application-checkpoints.csv", "timestamp,hostname,eventName,eventType,jobId,taskId" +
             (",gpuUUID" if gpu_column else ""), points),
            ("task-x-y.csv", "taskId,jobId,x,y,level", [["t%d" % i, "j", i, 0, 4 + 4 * (i % 3)] for i in range(9)])):
        rnd.shuffle(rows)
        with open(os.path.join(directory, name), "w", newline="") as f:
            w = csv.writer(f)
            w.writerow(header.split(","))
            w.writerows([oracle.time_text(BASE + r[0] * 10**9) if name[0] != "t" else r[0]] + r[1:] for r in rows)
    return hosts


def read(directory, name):
    with open(os.path.join(directory, name), newline="") as f:
        return list(csv.DictReader(f))


def reading(text):
    return None if text == "" else Fraction(text)


def settle(samples):
    """One sample per instant, in order: the means of those at it, to the nearest millionth."""
    out = []
    for t in sorted({s[0] for s in samples}):
        its = [s for s in samples if s[0] == t]
        means = [mean([s[m] for s in its]) for m in METRICS]      # never below 0 here
        out.append((t,) + tuple(None if v is None else Fraction(math.floor(v * 10**6 + Fraction(1, 2)), 10**6)
                                for v in means))
    return out


def as_of(samples, t, opt):
    """The readings at the chosen instant; by looking at all of them."""
    best = None
    for s in settle(samples):
        d = abs(s[0] - t)
        if opt.tolerance is not None and d > opt.tolerance:
            continue
        if opt.join == "backward" and s[0] > t or opt.join == "forward" and s[0] < t:
            continue
        if best is None or d < abs(best[0] - t) or d == abs(best[0] - t) and s[0] > best[0] and opt.ties == "later":
            best = s
    return best


def window(samples, start, stop, max_gap):
    """Samples and means inside; energy, its time and the covered part of the window as the log shows it later. All
    times here are whole seconds and no reading is renewed: 0.3 s for the sensor, 0.5 s for the cut of START and STOP, less
    0.5 s for that of the samples."""
    inside = [s for s in samples if start <= s[0] <= stop]
    means = []
    for m in METRICS:
        known = [s[m] for s in inside if s[m] is not None]
        means.append(sum(known) / len(known) if known else None)
    energy = time = covered = Fraction(0)
    curve = [s for s in settle(samples) if s[1] is not None]
    shift = 8 * 10**8 - (5 * 10**8 if len({s[0] for s in samples}) > 1 else 0)
    near = 3 * middle([b[0] - a[0] for a, b in zip(curve, curve[1:])]) if max_gap is None and len(curve) > 1 else max_gap
    for a, b in zip(curve, curve[1:]):
        left, right = max(start + shift, a[0]), min(stop + shift, b[0])
        if stop > start and right > left and (max_gap is None or b[0] - a[0] <= max_gap):
            def power(t):
                return a[1] + (b[1] - a[1]) * Fraction(t - a[0], b[0] - a[0])
            energy += (power(left) + power(right)) / 2 * (right - left)
            time += right - left
            covered += (right - left) * (b[0] - a[0] <= near)
    return len(inside), means, energy / 10**9, time, covered


def middle(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) // 2


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def pair_up(starts, stops):
    """Each STOP, in turn, looks for the latest START before it that none has closed, else for one at its instant."""
    left, pairs = list(starts), []
    for stop in stops:
        start = max((t for t in left if t < stop), default=stop if stop in left else None)
        if start is not None:
            left.remove(start)
            pairs.append((start, stop))
    return pairs


def brute_join(directory, opt):
    gpus = {}
    for r in read(directory, "gpu.csv"):
        gpus.setdefault((r["hostname"], r["gpuSerial"], r["gpuUUID"]), []).append(
            (oracle.parse_time(r["timestamp"]),) + tuple(
                reading(r[c]) for c in ("powerDrawWatt", "gpuTempC", "gpuUtilPerc", "gpuMemUtilPerc")))
    points = read(directory, "application-checkpoints.csv")
    sides = {}
    for r in sorted(points, key=lambda r: oracle.parse_time(r["timestamp"])):
        key = (r["hostname"], r["jobId"], r["taskId"], r["eventName"], r.get("gpuUUID"))
        sides.setdefault(key, {"START": [], "STOP": []})[r["eventType"]].append(oracle.parse_time(r["timestamp"]))
    out = []
    for (host, job, task, event, uuid), side in sides.items():
        its = [v for k, v in gpus.items() if k[0] == host and uuid in (None, k[2])]
        for start, stop in pair_up(side["START"], side["STOP"]):
            row = {"key": (host, start, event, job, task, stop, uuid or "")}
            parts = [window(s, start, stop, opt.max_gap) for s in its]
            row["n"] = sum(p[0] for p in parts)
            row["time"] = sum(p[3] for p in parts)
            row["covered"] = sum(p[4] for p in parts)
            row["possible"] = (stop - start) * max(1, len(its))
            row["energy"] = sum(p[2] for p in parts) if row["time"] else None
            if opt.join == "window":
                row["metrics"] = [mean([p[1][m] for p in parts]) for m in range(4)]
            else:
                ends = [(as_of(s, start, opt), as_of(s, stop, opt)) for s in its]
                row["metrics"] = [mean([(a[m] + b[m]) / 2 for a, b in ends
                                        if a and b and a[m] is not None and b[m] is not None]) for m in METRICS]
            out.append(row)
    return sorted(out, key=lambda r: r["key"])


def check(directory, opt):
    data = oracle.Dataset(directory, False)
    oracle.prepare(data, opt)
    header, rows = oracle.join(data, opt)
    want = brute_join(directory, opt)
    assert len(rows) == len(want) and rows
    for row, w in zip(rows, want):
        got = dict(zip(header, row))
        assert [got[c] for c in ("power_w", "temp_c", "gpu_util_pct", "mem_util_pct")] == w["metrics"], (got, w)
        coverage = w["covered"] * 100 / w["possible"] if w["possible"] else None
        assert (got.get("n_samples", w["n"]), got["energy_j"], got["coverage_pct"]) == (w["n"], w["energy"], coverage), (got, w)
    for frame, of in ((oracle.events(data, opt), lambda g: g["event"]),
                      (oracle.zoom(data, opt), lambda g: g["level"] if g["event"] == "TotalRender" else "skip")):
        for row in frame[1]:
            group = dict(zip(frame[0], row))
            mine = [i for i, r in enumerate(rows) if of(dict(zip(header, r))) == row[0]]
            assert group["n"] == len(mine)
            for m, c in enumerate(oracle.METRICS):
                assert group[c] == mean([want[i]["metrics"][m] for i in mine])
            d = sorted(rows[i][header.index("duration_ms")] for i in mine)
            assert group["duration_mean_ms"] == sum(d) / len(d)
            if len(d) > 1:
                sd = math.sqrt(sum((x - sum(d) / len(d)) ** 2 for x in d) / (len(d) - 1))
                assert math.isclose(group["duration_sd_ms"], sd, rel_tol=1e-15)
            joules = [want[i]["energy"] for i in mine if want[i]["energy"] is not None]
            time, covered, possible = (sum(want[i][k] for i in mine) for k in ("time", "covered", "possible"))
            assert group["energy_sum_j"] == (sum(joules) if joules else None)
            assert group["coverage_pct"] == (covered * 100 / possible if possible else None)
            assert group["power_time_w"] == (sum(joules) / Fraction(int(time), 10**9) if joules else None)
            if opt.join == "window":
                assert group["energy_mean_j"] == (sum(joules) / len(joules) if joules else None)
                assert group["samples_mean"] == Fraction(sum(want[i]["n"] for i in mine), len(mine))


def closed_forms():
    """Student's t with 1 and 2 degrees of freedom; roots; type-7 quantiles."""
    for t in (0.1, 1.0, 5.0):
        for df, p in ((1, 1 - 2 / math.pi * math.atan(t)), (2, 1 - t / math.sqrt(2 + t * t))):
            x = Decimal(df) / (df + Decimal(t) ** 2)
            assert math.isclose(oracle.incomplete_beta(x, Decimal(df) / 2, Decimal("0.5"), oracle.beta_half(df)), p,
                                rel_tol=1e-13)
    for i in range(2000):
        x = random.Random(i).random() * 10.0 ** (i % 60 - 30)
        assert oracle.root(Fraction(x)) == math.sqrt(x)
    assert oracle.quantile([1, 2, 4, 8], Fraction(1, 2)) == 3 and oracle.quantile([5], Fraction(99, 100)) == 5


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    closed_forms()
    n = 0
    for i in range(30):
        rnd = random.Random(1000 * seed + i)
        with tempfile.TemporaryDirectory() as directory:
            make(directory, rnd, gpu_column=i % 3 == 2)
            for join in ("nearest", "backward", "forward", "window"):
                for ties in ("earlier", "later"):
                    for span in (None, 0, 2 * 10**9, 3 * 10**9):
                        check(directory, Namespace(join=join, ties=ties, tolerance=span, max_gap=span, event=None))
                        n += 1
    print("%d random runs agree with the definitions" % n)


if __name__ == "__main__":
    main()
