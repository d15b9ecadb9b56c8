"""Who is timed, how each is started, and whether all give the same numbers."""
import csv
import os
import platform
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Versions are named so that a result can be had again; --latest asks for the newest.
PACKAGES = {"@duckdb/node-api": "1.5.6-r.1", "chdb": "3.4.0", "nodejs-polars": "0.26.1"}
if sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64"):
    # npm leaves polars' binary out below node 22, on which it runs all the same.
    architecture = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
    PACKAGES["nodejs-polars-linux-%s-gnu" % architecture] = PACKAGES["nodejs-polars"]
COMMANDS = ("events", "zoom", "gpus", "correlate")
READS = {
    "events": ("gpu.csv", "application-checkpoints.csv"),
    "gpus": ("gpu.csv", "application-checkpoints.csv"),
    "zoom": ("gpu.csv", "application-checkpoints.csv", "task-x-y.csv"),
    "correlate": ("gpu.csv", "application-checkpoints.csv"),
}
DURATION = tuple("duration_%s_ms" % s for s in ("mean", "sd", "min", "p50", "p95", "p99", "max"))
METRICS = ("power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct")
# What every contestant computes: (columns of the key, columns held to each other).
TABLES = {
    "events": (("event",), ("n",) + DURATION + METRICS),
    "zoom": (("level",), ("n",) + DURATION + METRICS),
    "gpus": (("hostname", "gpu_serial", "gpu_uuid"), ("samples",) + METRICS + ("tasks", "total_render_mean_s")),
    "correlate": (("metric",), ("n", "pearson_r", "spearman_rho", "slope", "intercept", "r_squared")),
}
RELATIVE = 1e-9
# An r of nearly nothing is the small rest of large sums: values below this are measured against this.
SMALL = 1e-3
LOGS = "logs of nvidia-smi beside gpu.csv, gpus"


class Contestant:
    """`command(commands, data)` gives the argument vector; kind: 'gpustat', 'floor' or 'peer'; size: bytes of its own."""

    def __init__(self, name, kind, command, version="", size=None):
        self.name, self.kind, self.command, self.version, self.size = name, kind, command, version, size


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""


def install(cache, latest):
    """Node packages into the cache; returns (modules, {package: version}, why some are missing)."""
    root = os.path.join(cache, "npm")
    modules = os.path.join(root, "node_modules")

    def found():
        out = {}
        for name in PACKAGES:
            v = first_line(["node", "-p", "require(process.argv[1]).version", os.path.join(modules, name, "package.json")])
            if v:
                out[name] = v
        return out

    if not shutil.which("node"):
        return modules, {}, "node is not installed"
    have, why = found(), ""
    missing = [n for n, v in PACKAGES.items() if n not in have or (have[n] != v and not latest)]
    if (missing or latest) and shutil.which("npm"):
        os.makedirs(root, exist_ok=True)
        for name in list(PACKAGES) if latest else missing:
            spec = name if latest else "%s@%s" % (name, PACKAGES[name])
            print("installing %s into the cache" % spec, file=sys.stderr)
            # npm would remove what it is not told of.
            command = ["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", root]
            done = subprocess.run(command + ["%s@%s" % kept for kept in have.items()] + [spec], capture_output=True)
            if done.returncode != 0:
                why = "npm could not install it"
            have = found()
    elif missing:
        why = "npm is not installed"
    return modules, have, why


def contestants(tools, program, cache, cores, latest, version):
    """Everyone who can take part, and {name: reason} of those who cannot."""
    def gpustat(*options):
        def command(names, data):
            runs = [[program, n, data.directory, "-q", "-f", "csv", *options] for n in names]
            if len(runs) == 1:
                return runs[0]
            # One process after the other, each reading the files anew.
            quote = lambda words: " ".join("'%s'" % w.replace("'", "'\\''") for w in words)
            return ["sh", "-c", "; ".join("echo '# %s'; %s || exit" % (n, quote(r)) for n, r in zip(names, runs))]
        return command

    def files(names, data):
        return data.paths(sorted({f for n in names for f in READS[n]}))

    def peer(*start):
        return lambda names, data: [*start, ",".join(names), data.directory, str(cores)]

    who = [Contestant("gpustat", "gpustat", gpustat("-j%d" % cores), version),
           Contestant("gpustat -j1", "gpustat", gpustat("-j1"), version),
           Contestant("wc -l", "floor", lambda names, data: ["wc", "-l", *files(names, data)], first_line(["wc", "--version"])),
           Contestant("libcsv, fields counted", "floor", lambda names, data: [tools["csv_fields"], *files(names, data)],
                      first_line(["dpkg-query", "-W", "-f", "libcsv ${Version}\n", "libcsv-dev"]))]
    missing = {}
    r = first_line(["Rscript", "--vanilla", "-e",
                    'cat(R.version.string, ", data.table ", as.character(packageVersion("data.table")), sep = "")'])
    if r:
        script = os.path.join(HERE, "peers", "data_table.R")
        who.append(Contestant("R data.table", "peer", peer("Rscript", "--vanilla", script), r))
    else:
        missing["R data.table"] = "Rscript with data.table is not installed (Debian: r-base-core, r-cran-data.table)"
    modules, have, why = install(cache, latest)
    os.environ["NODE_PATH"] = modules
    os.environ["POLARS_MAX_THREADS"] = str(cores)
    for name, package, script in (("DuckDB", "@duckdb/node-api", "duckdb.js"), ("ClickHouse", "chdb", "clickhouse.js"),
                                  ("polars", "nodejs-polars", "polars.js")):
        if package in have:
            node = first_line(["node", "--version"])
            who.append(Contestant(name, "peer", peer("node", os.path.join(HERE, "peers", script)),
                                  "%s %s, node %s" % (package, have[package], node)))
        else:
            missing[name] = "%s: %s" % (package, why or "npm could not install it")
    return who, missing


def own(program, before, scratch, cores, damaged, samples, logs):
    """Commands of gpustat beside each other, and beside an earlier version: [(title, contestants)]."""
    def command(name, data, *options, binary=program):
        return [binary, name, data, "-q", "-f", "csv", "-j%d" % cores, *options]

    def contestant(title, build, version=""):
        return Contestant(title, "gpustat", lambda names, data: build(data), version)

    log, rejects, page = "gpu.csv", os.path.join(scratch, "rejects.csv"), os.path.join(scratch, "page")
    power = [contestant("gpus", lambda d: command("gpus", d.directory)),
             contestant("power gpu.csv", lambda d: command("power", os.path.join(d.directory, log)))]
    aside = [contestant("events", lambda d: command("events", d.directory)),
             contestant("events --rejects", lambda d: command("events", d.directory, "--rejects", rejects)),
             contestant("events --rejects, 1 row of 1,000 malformed",
                        lambda d: command("events", damaged.directory, "--rejects", rejects))]
    report = [contestant("report", lambda d: command("report", d.directory, "-o", page), first_line([program, "--version"]))]
    if before:
        report.append(contestant("report, before", lambda d: command("report", d.directory, "-o", page, binary=before),
                                 first_line([before, "--version"])))
    read = [Contestant(title, "gpustat", lambda names, data, path=path: command("gpus", path),
                       size=os.path.getsize(path)) for title, path in [("gpu.csv", samples), *logs.items()]]
    return [("power beside gpus", power), ("malformed rows set aside", aside), (LOGS, read), ("report", report)]


def idle():
    """What the start of a peer's language costs before it does anything; part of the peer's time."""
    return [Contestant("node, nothing", "floor", lambda names, data: ["node", "-e", "0"]),
            Contestant("R with data.table, nothing", "floor", lambda names, data: [
                "Rscript", "--vanilla", "-e", "suppressPackageStartupMessages(library(data.table))"])]


def parse(text, names):
    """{table: {key: {column: text}}} of what a contestant printed; a single table may come without its name."""
    tables, lines, name = {}, {}, names[0]
    for line in text.splitlines():
        if line.startswith("# "):
            name = line[2:]
        elif line:
            lines.setdefault(name, []).append(line)
    for name in names:
        key, columns = TABLES[name]
        rows = {}
        for row in csv.DictReader(lines.get(name, [])):
            k = tuple(row[c] for c in key)
            if k in rows:
                raise ValueError("%s: two rows for %s" % (name, k))
            rows[k] = {c: row[c] for c in columns}
        tables[name] = rows
    return tables


def differences(a, b):
    """Largest relative difference of two parsed answers, and a text for the first that is too large ('' where none)."""
    worst, first = 0.0, ""
    for name, rows in a.items():
        if rows.keys() != b[name].keys():
            return float("inf"), "%s: %d rows against %d, or other keys" % (name, len(rows), len(b[name]))
        if not rows:
            return float("inf"), "%s: no rows" % name
        for key, row in rows.items():
            for column, x in row.items():
                y = b[name][key][column]
                if (x == "") != (y == ""):
                    d = float("inf")
                elif x == "":
                    continue
                else:
                    p, q = float(x), float(y)
                    d = abs(p - q) / max(abs(p), abs(q), SMALL)
                    if column in ("n", "samples", "tasks") and p != q:
                        d = float("inf")
                if d > worst:
                    worst = d
                if d > RELATIVE and not first:
                    first = "%s, %s, %s: %s against %s" % (name, "/".join(key), column, x, y)
    return worst, first


def counted(text, data, names):
    """Does libcsv's count agree with the lines and the headers of the files? '' where it does."""
    rows = fields = 0
    for path in data.paths(sorted({f for n in names for f in READS[n]})):
        with open(path, "rb") as f:
            width = f.readline().count(b",") + 1
            lines = 1
            while block := f.read(1 << 20):
                lines += block.count(b"\n")
        rows, fields = rows + lines, fields + lines * width
    said = text.split()[-1]
    return "" if said == "%d,%d" % (rows, fields) else "counted %s, expected %d,%d" % (said, rows, fields)
