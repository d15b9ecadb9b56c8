"""Results as text, markdown and JSON, and the machine they are of, without its name."""
import json
import os
import platform
import re
import statistics
import subprocess

from bench_contest import LOGS

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")


def machine(build):
    def field(path, pattern, default):
        try:
            with open(path) as f:
                m = re.search(pattern, f.read(), re.M)
            return m[1].strip() if m else default
        except OSError:
            return default

    compiler = field(os.path.join(build, "flags"), r"\A(.*)$", "unknown compiler")
    flags = field(os.path.join(build, "flags"), r"^(-O\S*)$", "")
    tree = subprocess.run(["git", "-C", HERE, "log", "-1", "--format=%h"], capture_output=True, text=True).stdout.strip()
    return {"cpu": field("/proc/cpuinfo", r"^model name\s*:(.*)$", platform.machine()),
            "cores": len(os.sched_getaffinity(0)),
            "l3_kib": int(field("/sys/devices/system/cpu/cpu0/cache/index3/size", r"^(\d+)K", "0")),
            "memory_gib": round(int(field("/proc/meminfo", r"^MemTotal:\s*(\d+)", "0")) / 2**20, 1),
            "kernel": "%s %s" % (platform.system(), re.match(r"[\d.]*", platform.release())[0].rstrip(".")),
            "system": field("/etc/os-release", r'^PRETTY_NAME="(.*)"$', ""),
            "compiler": "%s %s" % (compiler, flags), "commit": tree}


def spread(contestant, what):
    values = [r[what] for r in contestant["runs"]]
    return statistics.median(values), min(values), max(values)


def median(result, name, what="wall_ms"):
    for c in result["contestants"]:
        if c["name"] == name:
            return spread(c, what)[0]
    return None


def rows(result):
    """Cells of a result's table, contestants by median wall time."""
    wc, own = median(result, "wc -l"), median(result, "gpustat")
    out = []
    for c in sorted(result["contestants"], key=lambda c: spread(c, "wall_ms")[0]):
        wall, low, high = spread(c, "wall_ms")
        ratio = lambda base: "%.2f" % (wall / base) if base else ""
        out.append([c["name"], "%.1f" % wall, "%.1f to %.1f" % (low, high), "%.1f" % spread(c, "cpu_ms")[0],
                    "%.0f" % peak(result, c["name"]), ratio(wc), ratio(own)])
    return out


HEADER = ["", "wall ms", "min to max", "CPU ms", "peak MiB", "x wc -l", "x gpustat"]


def table(result):
    lines = [HEADER] + rows(result)
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADER))]
    text = ["%s (%s, %d rounds)" % (result["case"], result["data"], result["rounds"])]
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(w) for cell, w in zip(line[1:], widths[1:])]
        text.append("  ".join(cells).rstrip())
    text += [d for d in [disturbance(result)] if d] + ["out: %s: %s" % out for out in result["out"].items()]
    return "\n".join(text)


def peak(result, name):
    """The largest of all rounds; None where the contestant did not take part."""
    for c in result["contestants"]:
        if c["name"] == name:
            return max(r["peak_mib"] for r in c["runs"])
    return None


def disturbance(result):
    """What other processes took of the machine during the runs of a result, in words."""
    shares = [r["others_pct"] for c in result["contestants"] for r in c["runs"] if "others_pct" in r]
    return "other work took %.0f %% of the machine meanwhile" % statistics.mean(shares) if shares else ""


def markdown_table(header, lines):
    return "\n".join(["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
                     + ["| " + " | ".join(line) + " |" for line in lines])


def targets(report):
    """(what, measured, aim, met) of the aims of the design that this report has figures for."""
    by = {r["case"]: r for r in report["results"]}
    out = []

    def add(what, value, limit, form, at_least=False):
        out.append((what, form % value, ("at least " if at_least else "at most ") + form % limit,
                    value >= limit if at_least else value <= limit))

    for case, limit in (("events", 2.5), ("gpus", 2.5), ("events, shuffled rows", 4.0)):
        if case in by and median(by[case], "wc -l"):
            add("%s: times wc -l" % case, median(by[case], "gpustat") / median(by[case], "wc -l"), limit, "%.2f")
    if "events" in by:
        e = by["events"]
        peers = [spread(c, "wall_ms")[0] for c in e["contestants"] if c["kind"] == "peer"]
        if peers:
            add("events: times faster than the fastest peer", min(peers) / median(e, "gpustat"), 10, "%.1f", True)
        add("events: peak MiB", peak(e, "gpustat"), 64, "%.0f")
        if median(e, "gpustat -j1"):
            slower = median(e, "gpustat -j1") / median(e, "gpustat")
            add("events: -j1 times -j%d" % report["machine"]["cores"], slower, 2.1, "%.2f")
    for case, one, other, wall, memory in (("power beside gpus", "power gpu.csv", "gpus", 2.0, 1.5),
                                           ("malformed rows set aside", "events --rejects", "events", 1.2, None),
                                           ("malformed rows set aside", "events --rejects, 1 row of 1,000 malformed",
                                            "events", 1.2, None),
                                           ("report", "report", "report, before", 0.6, None)):
        if case in by and median(by[case], other):
            add("%s: times %s" % (one, other), median(by[case], one) / median(by[case], other), wall, "%.2f")
            if memory:
                add("%s: times the memory of %s" % (one, other), peak(by[case], one) / peak(by[case], other), memory, "%.2f")
    if LOGS in by:
        speed = {c["name"]: c["bytes"] / spread(c, "cpu_ms")[0] for c in by[LOGS]["contestants"]}
        for name, bytes_per_ms in speed.items():
            if name != "gpu.csv":
                add("%s: bytes per processor second, times gpu.csv's" % name, bytes_per_ms / speed["gpu.csv"], 0.5, "%.2f", True)
    if "report" in by and by["report"]["data"].startswith("the TeraScope") and report["machine"]["cores"] == 2:
        add("report: ms", median(by["report"], "report"), 1200, "%.0f")
    if "events x1" in by and "events x10" in by:
        one, ten = by["events x1"], by["events x10"]
        add("events: x10 data times x1, wall", median(ten, "gpustat") / median(one, "gpustat"), 11, "%.1f")
        add("events: x10 data times x1, peak memory", peak(ten, "gpustat") / peak(one, "gpustat"), 10, "%.1f")
    return out


def agreement(report):
    text = []
    for r in report["results"]:
        d = {c["name"]: c["largest_relative_difference"] for c in r["contestants"]}
        d = {name: worst for name, worst in d.items() if worst is not None}
        if d:
            text.append("%s: %s; largest relative difference %.1g" % (r["case"], ", ".join(d), max(d.values())))
    return text


def noticed(seen):
    return "fails, as it must" if seen["noticed"] else "sees no difference: this data has none"


def summary(report):
    lines = ["Same numbers before any time was taken:"] + ["  " + a for a in agreement(report)]
    for option, seen in report.get("check", {}).items():
        lines.append("  with %s the check %s" % (option, noticed(seen)))
    lines.append("Aims:")
    for what, value, aim, met in targets(report):
        lines.append("  %-4s %s: %s (%s)" % ("met" if met else "MISS", what, value, aim))
    lines += ["Missing: %s: %s" % m for m in report["missing"].items()]
    return "\n".join(lines)


def markdown(report):
    m = report["machine"]
    text = ["# Benchmark of %s" % report["date"], "",
            "%s, %d cores, %s GiB, L3 %d MiB, %s, %s; gpustat at %s by %s. Load of the machine before: %s, after: %s."
            % (m["cpu"], m["cores"], m["memory_gib"], m["l3_kib"] // 1024, m["system"], m["kernel"], m["commit"],
               m["compiler"], report["load_before"], report.get("load_after", ""))]
    if report["note"]:
        text += ["", report["note"]]
    text += ["", "Whole processes on files in the page cache, interleaved rounds after a warm-up; medians. Peak memory is the",
             "largest of all rounds. How each peer is tuned: `tests/bench/peers`."]
    versions = {c["name"]: c["version"] for r in report["results"] for c in r["contestants"] if c["version"]}
    text += ["", "| contestant | version |", "| --- | --- |"] + ["| %s | %s |" % v for v in versions.items()]
    for name, why in report["missing"].items():
        text += ["| %s | missing: %s |" % (name, why)]
    for r in report["results"]:
        what = "%s; %.0f MB in the three files" % (r["data"], r["bytes"] / 1e6) if r["bytes"] else "no data"
        about = "; ".join(filter(None, [what, "%d rounds" % r["rounds"], disturbance(r)]))
        text += ["", "## %s" % r["case"], "", about + ".", "", markdown_table(HEADER, rows(r))]
        text += ["", "\n".join("Out: %s: %s" % o for o in r["out"].items())] if r["out"] else []
    text += ["", "## Same numbers", "",
             "Before any time was taken, every table of every contestant was held to gpustat's: counts equal, all else within",
             "1e-9 relative, duplicates kept, ties to the earlier sample.", ""]
    text += ["- " + a for a in agreement(report)]
    text += ["- with `%s` the check %s" % (option, noticed(seen)) for option, seen in report.get("check", {}).items()]
    met = targets(report)
    if met:
        text += ["", "## Aims", "", "| aim | measured | wanted | |", "| --- | ---: | ---: | --- |"]
        text += ["| %s | %s | %s | %s |" % (what, value, aim, "met" if ok else "missed") for what, value, aim, ok in met]
    return "\n".join(text) + "\n"


def write(report, directory):
    """DATE.json and .md, written anew after every case so that an interrupted run leaves what it has."""
    os.makedirs(directory, exist_ok=True)
    stem = os.path.join(directory, re.sub(r"\W+", "-", report["date"].replace(" UTC", "").replace(":", "")))
    with open(stem + ".json", "w") as f:
        json.dump(report, f, indent=1)
        f.write("\n")
    with open(stem + ".md", "w") as f:
        f.write(markdown(report))
