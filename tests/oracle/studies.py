#!/usr/bin/env python3
"""Computes the other studies' results independently of gpustat and compares: power logs, proportionality,
validation by summation, frequency sweeps, co-running kernels.

  studies.py PROGRAM [SHARED]

Runs PROGRAM on data/ and, where the folder SHARED (default ../shared/data) is there, on the real logs and tables of
it, and holds its CSV to what is computed here: sums and variances as fractions, roots of 50 digits. Numbers may
differ by 1e-9 (loess 1e-6), counts and names not at all. The loess is R's (surface = "direct") where Rscript is
there, else a local regression in 50 digits. The last line is "N passed, N failed".
"""
import csv
import io
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from datetime import datetime, timezone
from decimal import Decimal, getcontext
from fractions import Fraction
from statistics import median

getcontext().prec = 50
MISSING = ("", "[N/A]", "N/A", "[Not Supported]", "[Unknown Error]", "-", "nan")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
passed = failed = 0


def root(x):
    x = Fraction(x)
    return float((Decimal(x.numerator) / Decimal(x.denominator)).sqrt())


def mean(v):
    return sum(v) / len(v) if v else None


def ssd(v):
    if len(v) < 2:
        return None
    m = mean(v)
    return root(sum((x - m) ** 2 for x in v) / (len(v) - 1))


def pearson(x, y):
    mx, my = mean(x), mean(y)
    sxx, syy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    if sxx == 0 or syy == 0:
        return None
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    r = root(sxy * sxy / (sxx * syy))
    return r if sxy > 0 else -r


def line(x, y):
    mx, my = mean(x), mean(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return slope, my - slope * mx


# ---- comparing ----

def check(what, got, wanted, tolerance=1e-9):
    """One number, text or missing value."""
    if wanted is None:
        return got == "" or f"{what}: {got}, expected nothing"
    if isinstance(wanted, (str, int)) and not isinstance(wanted, bool):
        return got == str(wanted) or f"{what}: {got}, expected {wanted}"
    if got == "":
        return f"{what}: nothing, expected {float(wanted)}"
    difference = abs(float(got) - float(wanted))
    return difference <= tolerance * max(1e-300, abs(float(wanted))) or difference < 1e-12 or \
        f"{what}: {got}, expected {float(wanted)!r}"


def compare(name, rows, expected, tolerances={}):
    """Rows of gpustat against dicts of what they should hold."""
    global passed, failed
    problems = [] if len(rows) == len(expected) else [f"{len(rows)} rows, expected {len(expected)}"]
    for i, (row, want) in enumerate(zip(rows, expected)):
        for column, value in want.items():
            answer = check(f"row {i + 1}, {column}", row[column], value, tolerances.get(column, 1e-9))
            if answer is not True:
                problems.append(answer)
    report(name, problems)


def report(name, problems):
    global passed, failed
    if problems:
        failed += 1
        print(f"{name}: {len(problems)} differences")
        for p in problems[:8]:
            print(f"    {p}")
    else:
        passed += 1
        print(f"{name}: agrees")


def run(program, *arguments, code=0):
    done = subprocess.run([program, *arguments, "--format", "csv"], capture_output=True, text=True, cwd=ROOT)
    if done.returncode != code:
        raise RuntimeError(f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


# ---- power ----

def number(text):
    m = re.fullmatch(r"\s*([-+]?[0-9.]+)\s*(W|%|MiB|MHz)?\s*", text)
    return Fraction(m.group(1)) if m else None


def instant(text):
    """Nanoseconds; the logs here write YYYY/MM/DD HH:MM:SS.mmm."""
    m = re.fullmatch(r"(\d+)/(\d+)/(\d+) (\d+):(\d+):(\d+)\.(\d{3})", text)
    if not m:
        return None
    *date, ms = map(int, m.groups())
    return int(datetime(*date, tzinfo=timezone.utc).timestamp()) * 10**9 + ms * 10**6


def read_nvidia_smi(path, power):
    """{gpu: (readings, dropped)} of a CSV with a header."""
    logs = defaultdict(lambda: ([], 0))
    header = None
    for cells in csv.reader(open(path, newline=""), skipinitialspace=True):
        if "timestamp" in cells:
            header = {c: i for i, c in enumerate(cells)}
            continue
        gpu = cells[header["index"]] if "index" in header and len(cells) > header["index"] else ""
        readings, dropped = logs[gpu]
        watts = number(cells[header[power]]) if len(cells) == len(header) else None
        if watts is None or instant(cells[0]) is None:
            logs[gpu] = (readings, dropped + 1)
        else:
            readings.append((instant(cells[0]), watts))
    return logs


def read_dmon(path):
    logs = defaultdict(lambda: ([], 0))
    for text in open(path):
        if text.startswith("#") or not text.split():
            continue
        words = text.split()
        gpu = words[0] if len(words) == 15 else ""  # a line that is cut off may be cut off within its GPU's name
        readings, dropped = logs[gpu]
        if len(words) == 15 and words[1] != "-":
            readings.append((None, Fraction(words[1])))
        else:
            logs[gpu] = (readings, dropped + 1)
    return logs


def evaluate(readings, dropped, runtime=None):
    watts = [w for _, w in readings]
    n = len(watts)
    out = {"rows": n, "dropped": dropped}
    if n == 0:
        return {**out, "kept": 0, "power_mean_w": None, "energy_j": None}
    m = mean(watts)
    if n > 1 and min(watts) != max(watts):
        variance = sum((w - m) ** 2 for w in watts) / (n - 1)
        kept = [w for w in watts if (w - m) ** 2 < 9 * variance]
    else:
        kept = watts
    readings = sorted(readings, key=lambda r: r[0]) if readings[0][0] is not None else readings
    changes = [b[0] for a, b in zip(readings, readings[1:]) if a[1] != b[1]]
    times = readings[0][0] is not None
    if runtime is None and times and n > 1:
        runtime = Fraction(readings[-1][0] - readings[0][0], 10**9)
    out.update(kept=len(kept), power_mean_w=m, power_sd_w=ssd(watts), filtered_mean_w=mean(kept),
               filtered_sd_w=ssd(kept), runtime_s=runtime, readings_distinct=1 + len(changes))
    out["energy_j"] = None if runtime is None else mean(kept) * runtime
    out["energy_sd_j"] = None if runtime is None or len(kept) < 2 else ssd(kept) * float(runtime)
    out["energy_trapezoid_j"] = None if not times or n < 2 else sum(
        (a[1] + b[1]) * (b[0] - a[0]) for a, b in zip(readings, readings[1:])) / 2 / 10**9
    gaps = [b - a for a, b in zip(changes, changes[1:])] if times else []
    out["update_period_ms"] = median(map(Fraction, gaps)) / 10**6 if gaps else None
    return out


def power_file(program, name, path, logs, *options):
    # Rows that name no GPU and hold no reading are nobody's: the total alone counts them.
    order = sorted((g for g in logs if g or logs[g][0]), key=lambda g: (g == "", int(g) if g.isdigit() else 0))
    rows = run(program, "power", path, *options)
    own = [r for r in rows if r["gpu"] != "total"]
    compare(f"power {name}", own, [evaluate(*logs[g]) for g in order])
    wanted = {"dropped": sum(dropped for _, dropped in logs.values())}
    for c in ("energy_j", "energy_trapezoid_j", "energy_sensor_j"):
        known = [Fraction(r[c]) for r in own if r[c]]
        wanted[c] = sum(known) if known else None
    if len(rows) > len(own):
        compare(f"power {name}, total", rows[-1:], [wanted])
    elif sum(r["rows"] != "0" for r in own) > 1:
        report(f"power {name}, total", ["no row of the total"])




def power(program, shared):
    path = "data/power-log.csv"
    power_file(program, "data", path, read_nvidia_smi(os.path.join(ROOT, path), "power.draw [W]"))
    if not shared:
        return
    here = os.path.join(shared, "power-logs")
    for name, column, options in (("a100-square-wave.csv", "power.draw [W]", ("--power-column", "draw")),
                                  ("a100-square-wave.csv", "power.draw.instant [W]", ("--power-column", "instant")),
                                  ("rtx3090-step.csv", "power.draw [W]", ("--power-column", "draw")), ("rtx3090-step.csv", "power.draw.instant [W]", ()),
                                  ("rtx3090-step.csv", "power.draw.average [W]", ("--power-column", "average")),
                                  ("asr-load.csv", "power.draw [W]", ()), ("asr-load-100.csv", "power.draw [W]", ()),
                                  ("h100-x8.csv", "power.draw.average [W]", ("--power-column", "average")),
                                  ("t4-with-na.csv", "power.draw.instant [W]", ())):
        path = os.path.join(here, name)
        power_file(program, f"{name} {column}", path, read_nvidia_smi(path, column), *options)
    path = os.path.join(here, "k80-dmon-crash.log")
    power_file(program, "k80-dmon-crash.log", path, read_dmon(path))
    for column, window in (("power.draw.instant", None), ("power.draw", 10**9)):
        windows(program, os.path.join(here, "rtx3090-step.csv"), os.path.join(here, "rtx3090-step-bursts.csv"), column,
                window)


def windows(program, log, bursts, column, window):
    """Bursts shifted by an hour: means of the readings inside, trapezoid with interpolated edges over the log half a
    period and half a window later; without a window it is a period long."""
    readings = read_nvidia_smi(log, f"{column} [W]")[""][0]
    renewed = [b[0] for a, b in zip(readings, readings[1:]) if a[1] != b[1]]
    period = int(median(b - a for a, b in zip(renewed, renewed[1:])))
    lag = period // 2 + (window or period) // 2
    marks = sorted({int(x) * 1000 for x in open(bursts).read().split()[1:]})
    steps = [b[0] - a[0] for a, b in zip(readings, readings[1:])]
    gap = 3 * int(median(map(Fraction, steps)))  # longer ones are bridged, and not covered
    expected = []
    for start, stop in zip(marks[::2], marks[1::2]):
        start, stop = start + 3600 * 10**9, stop + 3600 * 10**9
        inside = [w for t, w in readings if start <= t <= stop]
        energy = covered = Fraction(0)
        for (t0, w0), (t1, w1) in zip(readings, readings[1:]):
            a, b = max(t0, start + lag), min(t1, stop + lag)
            if b <= a:
                continue
            at = lambda t: w0 + (w1 - w0) * Fraction(t - t0, t1 - t0)
            energy += (at(a) + at(b)) * (b - a) / 2 / 10**9
            covered += b - a if t1 - t0 <= gap else 0
        expected.append({"n_samples": len(inside), "power_mean_w": mean(inside), "power_sd_w": ssd(inside),
                         "energy_j": energy, "coverage_pct": 100 * covered / (stop - start)})
    asked = [] if window is None else ["--power-column", column]  # in windows the instant column goes first
    compare(f"power --windows rtx3090-step {column}",
            run(program, "power", log, "--windows", bursts, "--shift", "1h", *asked), expected)


# ---- proportionality ----

def proportionality(program, name, path):
    rows = sorted((Fraction(r["iterations"]), Fraction(r["runtime_s"])) for r in csv.DictReader(open(path)))
    n = len(rows)
    fitted = rows[n // 7:]
    slope, intercept = line([x for x, _ in fitted], [y for _, y in fitted])
    residual = lambda p: p[1] - intercept - slope * p[0]
    m = mean([residual(p) for p in fitted])
    variance = sum((residual(p) - m) ** 2 for p in fitted) / (len(fitted) - 1)
    outliers = [p for p in rows if residual(p) ** 2 > 25 * variance]
    compare(f"proportionality {name}", run(program, "proportionality", path),
            [{"n": n, "n_fit": len(fitted), "slope_s": slope, "intercept_s": intercept, "residual_sd_s": root(variance),
              "outliers": len(outliers), "threshold_s": max((y for _, y in outliers), default=None)}])


# ---- validate ----

def validate_sums(program, path):
    rows = sorted(csv.DictReader(open(path)), key=lambda r: r["model_input"].encode())
    compare("validate measured-vs-summed", run(program, "validate", path),
            [{"model": r["model_input"], "time_ratio": Fraction(r["summed_ms"]) / Fraction(r["measured_ms"]),
              "energy_ratio": Fraction(r["summed_mJ"]) / Fraction(r["measured_mJ"]),
              "measured_time_s": Fraction(r["measured_ms"]) / 1000,
              "measured_energy_sd_j": Fraction(r["measured_err_mJ"]) / 1000, "time_z": None} for r in rows])


def validate_operations(program, path):
    models = defaultdict(list)
    for r in csv.DictReader(open(path)):
        models[r["model"]].append(r)
    expected = []
    for model in sorted(models):
        whole = [r for r in models[model] if r["operation"] == "*"][0]
        rest = [r for r in models[model] if r["operation"] != "*"]
        want = {"model": model, "operations": len(rest)}
        for quantity, unit in (("time", "s"), ("energy", "j")):
            value, sd = f"{quantity}_{unit}", f"{quantity}_sd_{unit}"
            total = sum(int(r["count"]) * Fraction(r[value]) for r in rest)
            variance = sum((int(r["count"]) * Fraction(r[sd])) ** 2 for r in rest)
            measured, measured_sd = Fraction(whole[value]), Fraction(whole[sd])
            want[f"summed_{value}"], want[f"summed_{sd}"] = total, root(variance)
            want[f"{quantity}_ratio"] = total / measured
            want[f"{quantity}_z"] = float(total - measured) / root(variance + measured_sd ** 2)
        expected.append(want)
    compare(f"validate {os.path.basename(path)}", run(program, "validate", path), expected)


# ---- crosstalk ----

def crosstalk(program, path):
    t = {(r["kernel"], int(r["victims"]), int(r["co_runners"])): Fraction(r["time_ms"]) for r in csv.DictReader(open(path))}
    expected = []
    for (kernel, k, p), time in sorted(t.items()):
        alone, as_ordinary = t.get((kernel, k, 0)), t.get((kernel, k + p, 0)) if p else None
        expected.append({"kernel": kernel, "victims": k, "co_runners": p, "n": 1, "time_mean_ms": time,
                         "slowdown": time / alone, "performance": alone / time, "equivalent_ms": as_ordinary,
                         "equivalence_error_pct": 100 * (time / as_ordinary - 1) if as_ordinary else None})
    compare("crosstalk", run(program, "crosstalk", path), expected)


# ---- sweep ----

def digits(v):
    """Fractions to 50 digits: exact ones grow without end under local regression."""
    return [Decimal(Fraction(x).numerator) / Decimal(Fraction(x).denominator) for x in v]


def solve(a, b):
    """a x = b by elimination with pivots in decimals of 50 digits; None where a is singular."""
    n = len(b)
    m = [row[:] + [v] for row, v in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        if abs(m[pivot][i]) <= Decimal(10) ** -30 * max(abs(v) for row in a for v in row):
            return None
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(n):
            if r != i and m[r][i] != 0:
                q = m[r][i] / m[i][i]
                m[r] = [u - q * v for u, v in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def loess(x, y, span=Fraction(3, 4), degree=2):
    """Local polynomials with tricube weights at every x."""
    out = []
    x, y = digits(x), digits(y)
    q = min(len(x), int(len(x) * span + Fraction(1, 10**5)))
    for at in x:
        distance = [abs(v - at) for v in x]
        reach = sorted(distance)[q - 1]
        w = [(1 - (d / reach) ** 3) ** 3 if d < reach else Decimal(0) for d in distance] if reach \
            else [Decimal(d == 0) for d in distance]
        for k in range(degree, -1, -1):
            powers = [[((v - at) / (reach or 1)) ** i if i else Decimal(1) for i in range(k + 1)] for v in x]
            a = [[sum(wi * p[i] * p[j] for wi, p in zip(w, powers)) for j in range(k + 1)] for i in range(k + 1)]
            fit = solve(a, [sum(wi * p[i] * yi for wi, p, yi in zip(w, powers, y)) for i in range(k + 1)])
            if fit is not None:
                out.append(fit[0])
                break
    return out


def r_loess(points):
    """R's own curve for [(group, frequency, relative time)]; None without R."""
    if not shutil.which("Rscript"):
        return None
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loess.R")
    text = "group,x,y\n" + "".join(f'"{g}",{float(x)!r},{float(y)!r}\n' for g, x, y in points)
    done = subprocess.run(["Rscript", "--vanilla", script], input=text, capture_output=True, text=True, check=True)
    return [float(v) if v != "NA" else None for v in done.stdout.split()]


def knee(x, y):
    """The joined two-segment line of least squares, by trying every pair of neighbours around the break."""
    def sse(parameters, columns):
        return sum((yi - sum(p * c for p, c in zip(parameters, row))) ** 2 for row, yi in zip(columns, y))

    best = None
    x, y = digits(x), digits(y)
    for i in range(1, len(x) - 2):
        # Free lines left of and right of the break between x[i] and x[i + 1]; joined where they cross inside.
        left, right = line(x[:i + 1], y[:i + 1]), line(x[i + 1:], y[i + 1:])
        candidates = []
        if left[0] != right[0]:
            crossing = (right[1] - left[1]) / (left[0] - right[0])
            if x[i] <= crossing <= x[i + 1]:
                candidates.append(crossing)
        candidates += [x[i], x[i + 1]]
        for c in candidates:
            columns = [[Decimal(1), min(v, c), max(v - c, Decimal(0))] for v in x]
            if c >= x[-1] or c <= x[0]:
                continue
            a = [[sum(r[j] * r[k] for r in columns) for k in range(3)] for j in range(3)]
            fit = solve(a, [sum(r[j] * yi for r, yi in zip(columns, y)) for j in range(3)])
            if fit is None:
                continue
            key = (sse(fit, columns), c)
            if x[1] <= c <= x[-2] and (best is None or key < best[0]):
                best = (key, fit)
    return best[0][1] if best and best[1][2] > best[1][1] else None


def sweep(program, name, path, group_of, frequency, time, unit, power, options):
    runs = defaultdict(list)
    for r in csv.DictReader(open(path)):
        runs[group_of(r)].append((Fraction(r[frequency]), Fraction(r[time]) / unit, Fraction(r[power])))
    groups, points = [], []
    for g in sorted(runs, key=str.encode):
        by = defaultdict(list)
        for f, t, p in runs[g]:
            by[f].append((t, p))
        fs = sorted(by)
        times, powers = [mean([t for t, _ in by[f]]) for f in fs], [mean([p for _, p in by[f]]) for f in fs]
        relative = [t / min(times) for t in times]
        energy = [t * p for t, p in zip(times, powers)]
        best = max(i for i in range(len(fs)) if energy[i] == min(energy))
        delay = [e * t for e, t in zip(energy, times)]
        best_delay = max(i for i in range(len(fs)) if delay[i] == min(delay))
        cv = lambda k, i: ssd([r[k] for r in by[fs[i]]]) / float((times, powers)[k][i]) if len(by[fs[i]]) > 1 else None
        greatest = lambda k: max((c for c in (cv(k, i) for i in range(len(fs))) if c is not None), default=None)
        f, t, p = zip(*runs[g])
        groups.append({"group": g, "runs": len(runs[g]), "frequencies": len(fs), "time_cv_max": greatest(0),
                       "power_cv_max": greatest(1), "r_power_time": pearson(p, t), "r_power_frequency": pearson(p, f),
                       "r_time_frequency": pearson(t, f), "relative_time_max": max(relative),
                       "best_frequency_mhz": fs[best], "energy_saved_pct": 100 * (1 - energy[best] / energy[-1]),
                       "time_lost_pct": 100 * (times[best] / times[-1] - 1),
                       "knee_mhz": knee(fs, powers) if len(fs) >= 4 else None,
                       "best_energy_delay_mhz": fs[best_delay]})
        for i, smooth in enumerate(loess(fs, relative)):
            points.append({"group": g, "frequency_mhz": fs[i], "n": len(by[fs[i]]), "time_mean_s": times[i],
                           "time_sd_s": ssd([t for t, _ in by[fs[i]]]), "time_cv": cv(0, i), "power_mean_w": powers[i],
                           "power_sd_w": ssd([p for _, p in by[fs[i]]]), "power_cv": cv(1, i), "relative_time": relative[i],
                           "loess": smooth, "energy_j": energy[i],
                           "energy_delay_js": delay[i]})
    compare(f"sweep {name}", run(program, "sweep", path, *options), groups)
    rows = run(program, "sweep", path, "--points", *options)
    compare(f"sweep --points {name}", rows, points, {"loess": 1e-6})
    from_r = r_loess([(p["group"], p["frequency_mhz"], p["relative_time"]) for p in points])
    if from_r is None:
        print(f"loess of {name}: skipped, there is no Rscript")
    else:
        compare(f"loess of {name} by R", rows, [{"loess": v} for v in from_r], {"loess": 1e-6})


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    shared = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "..", "shared", "data")
    if not os.path.isdir(os.path.join(shared, "power-logs")):
        print("the shared real logs and tables are not here: their comparisons are skipped")
        shared = None
    power(program, shared)
    data = os.path.join(ROOT, "data")
    proportionality(program, "data", os.path.join(data, "iterations.csv"))
    validate_operations(program, os.path.join(data, "operations-validate.csv"))
    crosstalk(program, os.path.join(data, "crosstalk.csv"))
    sweep(program, "data", os.path.join(data, "sweep.csv"), lambda r: r["network"], "frequency_mhz", "time_s", 1, "power_w", ())
    if shared:
        proportionality(program, "iterations-A30", os.path.join(shared, "operations", "iterations-A30.csv"))
        validate_sums(program, os.path.join(shared, "operations", "measured-vs-summed-A30-no-tensor-cores.csv"))
        sweep(program, "v100-20-apps", os.path.join(shared, "sweeps", "v100-20-apps.csv"), lambda r: r["benchmark"],
              "core_frequency", "time", 1000, "average_power", ("--time-unit", "ms"))
        sweep(program, "rtx2070s", os.path.join(shared, "sweeps", "rtx2070s.csv"),
              lambda r: f"{r['appName']}, memF {r['memF']}", "coreF", "time/ms", 1000, "power/W", ())
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
