#!/usr/bin/env python3
"""Holds what gpustat reads of foreign forms to what this file reads of them by itself.

  forms.py PROGRAM [SHARED]

1. data/own and files made here: rows, spans, energies by hand.
2. Where the folder SHARED (default ../shared/data) is there: the real runs against their published answers, and every file
   of formats/, power-logs/ and truth/: read, every row counted once, or refused with one line.
The last line is "N passed, N failed".
"""
import csv
import gzip
import io
import json
import lzma
import os
import re
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(*args):
    r = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr


def table(*args):
    code, out, err = run(*args, "-q", "-f", "csv")
    check("%s: %s" % (" ".join(args), err.strip()), code == 0)
    return list(csv.DictReader(io.StringIO(out)))


def near(a, b, tolerance=1e-9):
    return a != "" and abs(float(a) - b) <= tolerance * max(1.0, abs(b))


def epoch(text, form="%Y-%m-%d %H:%M:%S.%f"):
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc).timestamp()


def trapezoid(samples, start, stop):
    """Energy in [start, stop] of samples (t, w) in order, equal instants as their mean."""
    points, covered, energy = [], 0.0, 0.0
    for t, w in samples:
        if points and points[-1][0] == t:
            points[-1][1].append(w)
        else:
            points.append((t, [w]))
    points = [(t, sum(w) / len(w)) for t, w in points]
    for (t0, w0), (t1, w1) in zip(points, points[1:]):
        a, b = max(t0, start), min(t1, stop)
        if a >= b:
            continue
        at = lambda t: w0 + (w1 - w0) * (t - t0) / (t1 - t0)
        energy += (at(a) + at(b)) / 2 * (b - a)
        covered += b - a
    return energy, covered / (stop - start)


def own_data():
    """data/own, read with this file's own csv module; energies by the trapezoid 0.3 s later."""
    folder = os.path.join(ROOT, "data", "own")
    gpus = {}
    for row in csv.DictReader(open(os.path.join(folder, "nvidia-smi.csv")), skipinitialspace=True):
        w = row["power.draw [W]"]
        if w.endswith(" W"):
            gpus.setdefault(row["uuid"], []).append((epoch(row["timestamp"], "%Y/%m/%d %H:%M:%S.%f"), float(w[:-2])))
    want = {}
    for row in csv.DictReader(open(os.path.join(folder, "steps.csv"))):
        a, b = epoch(row["start"]), epoch(row["stop"])
        e = sum(trapezoid(s, a + 0.3, b + 0.3)[0] for s in gpus.values())
        want.setdefault(row["step"], []).append(e)
    rows = {r["event"]: r for r in table("events", folder, "--join", "window")}
    check("data/own: events %s" % sorted(rows), set(rows) == set(want))
    for name, energies in want.items():
        check("data/own %s: %s J, here %r" % (name, rows[name]["energy_sum_j"], sum(energies)), near(rows[name]["energy_sum_j"], sum(energies), 1e-6))
        check("data/own %s: n" % name, int(rows[name]["n"]) == len(energies))


def made_here():
    """A map read back gives the same bytes of a command; a directory of packed files is read as the plain ones."""
    with tempfile.TemporaryDirectory() as d:
        folder = os.path.join(ROOT, "data", "own")
        code, text, _ = run("map", folder, "-q")
        path = os.path.join(d, "m.json")
        open(path, "w").write(text)
        check("map data/own", code == 0)
        for command in (["events", "--join", "window"], ["join"], ["gpus", "--event", "train"]):
            a = run(command[0], folder, *command[1:], "-f", "csv", "-q")
            b = run(command[0], folder, *command[1:], "--map", path, "-f", "csv", "-q")
            c = run(command[0], folder, *command[1:], "-j1", "-f", "csv", "-q")
            check("%s: a map read back, or one thread, gives other bytes" % command[0], a == b == c and a[0] == 0)


def inference(shared):
    folder = os.path.join(shared, "runs", "mlperf-inference-orin")
    marks = {}
    for line in open(os.path.join(folder, "mlperf_log_detail.txt")):
        e = json.loads(line[line.index("{"):])
        if e["key"] in ("power_begin", "power_end"):
            marks[e["key"]] = epoch(e["value"], "%m-%d-%Y %H:%M:%S.%f")
    watts = []
    for line in open(os.path.join(folder, "spl.txt")):
        f = line.strip().split(",")
        if marks["power_begin"] <= epoch(f[1], "%m-%d-%Y %H:%M:%S.%f") <= marks["power_end"]:
            watts.append(float(f[3]))
    row, = table("events", folder, "--join", "window")
    check("orin: %s samples" % row["samples_mean"], len(watts) == 656 and row["samples_mean"] == "656")
    check("orin: %s W, published 23.06324695" % row["power_mean_w"],
          near(row["power_mean_w"], sum(watts) / len(watts)) and abs(float(row["power_mean_w"]) - 23.06324695) < 5e-9)


def lines_of(path):
    with (lzma.open(path, "rt") if path.endswith(".xz") else open(path, errors="replace")) as f:
        for line in f:
            at = line.find(":::MLLOG {")
            if at >= 0:
                yield json.loads(line[at + 9:])


def training(shared):
    folder = os.path.join(shared, "runs", "mlperf-training-1node")
    node = os.path.join(folder, "power", "node_1.txt")
    readings = [(e["time_ms"] / 1000, float(e["value"])) for e in lines_of(node) if e["key"] == "power_reading"]
    result = next(os.path.join(folder, f) for f in os.listdir(folder) if f.startswith("result"))
    marks = {e["key"]: e["time_ms"] / 1000 for e in lines_of(result) if e["key"] in ("run_start", "run_stop")}
    energy, coverage = trapezoid(sorted(readings), marks["run_start"], marks["run_stop"])
    row = {r["event"]: r for r in table("events", folder, "--join", "window", "--max-gap", "60s")}["run"]
    check("1node: %s J, here %r" % (row["energy_sum_j"], energy),
          near(row["energy_sum_j"], energy, 1e-9) and abs(float(row["energy_sum_j"]) - 5538136) < 1)
    check("1node: coverage %s" % row["coverage_pct"], near(row["coverage_pct"], 100 * coverage, 1e-9))

    # Five runs, five commands: the official rules of MLPerf 4.0-0090.
    folder = os.path.join(shared, "runs", "mlperf-training-5runs")
    scale = json.load(open(os.path.join(folder, "scaling.json")))["scaling_factor"]
    times, energies = [], []
    for name in sorted(f for f in os.listdir(folder) if f.startswith("result")):
        power = os.path.join(folder, "power", name.replace(".txt", ".node_1.txt"))
        row = {r["event"]: r for r in table("events", "--events", os.path.join(folder, name), "--samples", power,
                                            "--join", "window", "--max-gap", "60s")}["run"]
        marks = {e["key"]: e["time_ms"] / 1000 for e in lines_of(os.path.join(folder, name))}
        check(name + ": duration", near(row["duration_mean_ms"], 1000 * (marks["run_stop"] - marks["run_start"]), 1e-8))
        log = list(lines_of(power))
        p = [(e["time_ms"] / 1000, float(e["value"])) for e in log if e["key"] == "power_reading"]
        seconds = float(row["duration_mean_ms"]) / 1000
        whole = {e["key"]: e["time_ms"] / 1000 for e in log}
        spread = sum(w * (t - before) for (before, _), (t, w) in zip(p, p[1:]))
        energies.append(spread * seconds / (whole["power_measurement_stop"] - whole["power_measurement_start"]) * scale)
        times.append(seconds * scale / 60)
        lag = 0.3  # of a sensor that the log does not show, section F.2
        inside = trapezoid(sorted(p), marks["run_start"] + lag, marks["run_stop"] + lag)[0]
        check("%s: %s J, here %r" % (name, row["energy_sum_j"], inside), near(row["energy_sum_j"], inside, 1e-9))
    middle = sorted(range(5), key=lambda i: times[i])[1:4]
    check("5runs: %r min" % [times[i] for i in middle], abs(statistics.mean(times[i] for i in middle) - 13.425) < 0.0005)
    check("5runs: %r J" % [energies[i] for i in middle], abs(statistics.mean(energies[i] for i in middle) / 1000 - 5671.89) < 0.01)
    code, _, err = run("events", folder)
    check("5runs at once: " + err, code == 65 and "overlap in time and name no host or job" in err)


def e2fl(shared):
    folder = os.path.join(shared, "runs", "e2fl")
    a_map = {"schema": "gpustat.map/1", "sources": [
        {"role": "samples", "form": "table", "files": ["power_jetson_*.csv"], "host": {"text": "jetson"}, "time": "Timestamp (s)",
         "metrics": {"power_w": "Power (mW)"}},
        {"role": "samples", "form": "table", "files": ["power_RPi5_*.csv"], "host": {"text": "RPi5"}, "time": "Timestamp (s)",
         "metrics": {"power_w": {"column": "Power (mW)", "unit": "W"}}},
        {"role": "events", "form": "table", "files": ["fl_20250328_*.csv"], "columns": ["time", "event", "sent", "received"],
         "host": {"file": "fl_20250328_{}.csv"}, "time": "time", "event": "event",
         "phase": {"start": "{}_init", "stop": "{}_end"}, "task": {"count": True}}]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump(a_map, f)
        f.flush()
        rows = table("join", folder, "--map", f.name, "--join", "window")
    samples = {}
    for name in os.listdir(folder):
        m = re.match(r"power_(jetson|RPi5)_", name)
        for line in open(os.path.join(folder, name)) if m else ():
            t, _, v = line.strip().partition(",")
            if t[0] == "2":
                samples.setdefault(m[1], []).append((epoch(t), float(v) / (1000 if m[1] == "jetson" else 1)))
    seen = 0
    for host in ("jetson", "RPi5"):
        starts = {}
        for line in open(os.path.join(folder, "fl_20250328_%s.csv" % host)):
            t, event = line.split(",")[:2]
            name, _, phase = event.rpartition("_")
            if phase == "init":
                starts.setdefault(name, []).append([epoch(t), None])
            elif phase == "end":
                starts[name][-1][1] = epoch(t)
        for name, spans in starts.items():
            for k, (a, b) in enumerate(spans):
                if b is None: # broke off
                    continue
                w = [v for t, v in samples[host] if a <= t <= b]
                row = [r for r in rows if (r["hostname"], r["event"], r["task_id"]) == (host, name, str(k + 1))]
                seen += 1
                check("e2fl %s %s %d: %s" % (host, name, k + 1, row),
                      len(row) == 1 and int(row[0]["n_samples"]) == len(w) and near(row[0]["power_w"], sum(w) / len(w)))
    check("e2fl: %d of %d pairs" % (seen, len(rows)), seen == len(rows) == 12)


# Files that say too little, and what the one line must hold.
REFUSED = {
    "co2footprint_trace_sample.txt": "no ", "trace_test.txt": "no ", "execution-trace-regular.tsv": "no known column",
    "metrics.json": "no known column", "amd-device-metrics-mini.txt": "no time",
    "dcgm-exporter-readme.prom": "no time", "omnistat.prom": "no time", "mi100_rocm602.json": "no times",
    "rx6700xt_rocm612.json": "no times", "vega-20-WKS-GL-XE.json": "no times", "sample-sacct-multiple-multiline.txt": "",
    "sample-sacct-output-midnight-edge-case-small.txt": "no known column", "k80-dmon-crash.log": "no times", "sync.json": "no times",
    "calibration-local-gpus.csv": "no times",
}


# Of runs/: what is said in words, has no header or is none of the data.
PROSE = ("fl_", "2025", "mlperf_log_summary", "scaling")

# What they need to be read all the same.
ORIGIN = {
    "k80-dmon-crash.log": ["--set", "samples.time.every=1s", "--set", "samples.origin=2024-05-01T12:00:00Z"],
}


def text_of(path):
    opened = gzip.open(path) if path.endswith(".gz") else lzma.open(path) if path.endswith(".xz") else open(path, "rb")
    with opened as f:
        return f.read().decode("utf-8", "replace")


def rows_in(path):
    """Records of a file, its first header not counted; None for those whose rows nothing but their reader tells."""
    text = text_of(path)
    lines = [line for line in text.split("\n") if line.strip("\r\0")]
    if "chrome-trace" in path:
        return len(json.loads(text)["traceEvents"])
    if path.endswith("trace.json"):
        return sum(len(scope["spans"]) for r in json.loads(text)["resourceSpans"] for scope in r["scopeSpans"])
    if "data-fritzMinimal" in path:
        return sum(len(one["data"]) for metric in json.loads(text).values() for scope in metric.values() for one in scope["series"])
    if path.endswith((".lp", "spl.txt")) or "mlperf" in path:
        return len(lines)
    if path.endswith((".csv", ".csv.gz")):
        return sum(1 for row in csv.reader(io.StringIO(text))) - 1
    return None if path.endswith(".json") else len(lines) - 1


def read_back(path, text, extra):
    """A map that was printed is read back and prints the same; a command with it gives the same bytes."""
    with tempfile.TemporaryDirectory() as d:
        kept, edited, spans = os.path.join(d, "m.json"), os.path.join(d, "e.json"), os.path.join(d, "spans.csv")
        open(kept, "w").write(text)
        check("%s: its map read back is another" % path, run("map", path, "--map", kept, "-q")[:2] == (0, text))
        m = json.loads(text)
        m["sources"] = [one for one in m["sources"] if one["role"] == "samples"]
        if not m["sources"]:
            return
        json.dump(m, open(edited, "w"))
        span = m["sources"][0]["found"]
        open(spans, "w").write("name,start,stop\nall,%s,%s\n" % (span["from"], span["to"]))
        command = ["events", "--events", spans, "--tz", "UTC", "--join", "window", "-q", "-f", "csv"]
        a = run(*command, "--samples", path, *extra)
        b = run(*command, path, "--map", edited)
        check("%s: its map read back gives other bytes: %s %s" % (path, a, b), a[:2] == b[:2] and a[0] == 0)


def every_file(shared):
    for folder in ("formats", "power-logs", "truth", "runs"):
        for base, _, names in os.walk(os.path.join(shared, folder)):
            for name in sorted(names):
                path = os.path.join(base, name)
                if name == "README.md":
                    continue
                code, out, err = run("map", path, "-q")
                if name in REFUSED or folder == "runs" and name.startswith(PROSE):
                    check("%s: %d %s" % (path, code, err), code == 65 and len(err.strip().split("\n")) == 1 and REFUSED.get(name, "") in err)
                    if name not in ORIGIN:
                        continue
                    code, out, err = run("map", path, "-q", *ORIGIN[name])
                check("%s: %s" % (path, err), code == 0)
                if code != 0:
                    continue
                found = json.loads(out)["sources"][0]["found"]
                n = rows_in(path)
                check("%s: %s of %s rows" % (path, found, n),
                      n is None or found["rows"] + found["set_aside"] + found["ignored"] == n)
                read_back(path, out, ORIGIN.get(name, []))


PROGRAM = os.path.abspath(sys.argv[1])
own_data()
made_here()
SHARED = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "..", "shared", "data")
if os.path.isdir(os.path.join(SHARED, "runs")):
    inference(SHARED)
    training(SHARED)
    e2fl(SHARED)
    every_file(SHARED)
sys.exit(end())
