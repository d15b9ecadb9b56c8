#!/usr/bin/env python3
"""Times gpustat beside other engines that do the same work, after checking that all give the same numbers.

    bench.py BUILD [OPTION]...

Every contestant is a whole process, from start to exit, on files in the page cache. Rounds are interleaved: in each
one all contestants run once, in an order of its own, so that whatever else the machine does falls on all alike. Shown
are medians, with minimum and maximum. Results go to tests/bench/results; readme_table.py puts the newest into README.md.
"""
import argparse
import datetime
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import bench_contest as contest
import bench_data
import bench_report

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ("own", "events", "gpus", "all", "shuffled", "idle", "scales")


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build", metavar="BUILD", help="the directory that holds gpustat")
    p.add_argument("--cases", default=",".join(CASES), help="which parts to run (default %(default)s)")
    p.add_argument("--rounds", type=int, default=7, help="rounds that count, after one that does not (default %(default)s)")
    p.add_argument("--scale-rounds", type=int, default=5, help="the same for --scales (default %(default)s)")
    p.add_argument("--scales", default="1,4,10", help="sizes of simulated data for `events` (default %(default)s)")
    p.add_argument("--scale-peers", type=int, default=2, metavar="N", 
                   help="the fastest N peers of `events` take part there (default %(default)s; all where it is not run)")
    p.add_argument("--size", type=float, default=None, metavar="S",
                   help="simulated data S times the real size everywhere, for trying this out")
    p.add_argument("--results", default=bench_report.RESULTS, metavar="DIR",
                   help="where the result goes (default tests/bench/results)")
    p.add_argument("--peer-memory", default="", metavar="SIZE",
                   help="bound what DuckDB may take ('3GiB'), where the machine is shared")
    p.add_argument("--patience", type=float, default=10, metavar="S",
                   help="before each run wait up to S seconds for other work on the machine to pause (default %(default)s)")
    p.add_argument("--before", default="", metavar="PROGRAM",
                   help="an earlier gpustat, to time the report and the commands of the case `own` against")
    p.add_argument("--without", default="", metavar="NAME,...", help="contestants to leave out")
    p.add_argument("--latest", action="store_true", help="the newest npm packages instead of the versions named here")
    p.add_argument("--note", default="", help="a sentence for the result file, about the machine's state")
    p.add_argument("--delete-cache", action="store_true", help="remove data and packages from the cache directory, and stop")
    return p.parse_args()


def compile_tools(cache):
    """launch and csv_fields; launch stays small so that its children's peak memory is their own."""
    out = {}
    for name, libs in (("launch", []), ("csv_fields", ["-lcsv"])):
        out[name] = os.path.join(cache, "bin", name)
        os.makedirs(os.path.dirname(out[name]), exist_ok=True)
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-o", out[name],
                        os.path.join(HERE, name + ".c"), *libs], check=True)
    return out


def busy_s():
    """CPU seconds that the whole machine has spent on anything so far, to 10 ms."""
    with open("/proc/stat") as f:
        user, nice, system, _, _, irq, softirq, steal = map(int, f.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


class Runner:
    """Starts contestants; with `patience_s` it first waits that long at most for a moment without other work."""

    def __init__(self, tools, scratch, cores, patience_s):
        self.launch, self.scratch, self.cores, self.patience_s = tools["launch"], scratch, cores, patience_s

    def wait_for_quiet(self):
        end = time.monotonic() + self.patience_s
        while time.monotonic() < end:
            before = busy_s()
            time.sleep(0.2)
            if busy_s() - before <= 0.02:
                return

    def run(self, who, names, data):
        """One run: ({wall_ms, cpu_ms, user_ms, system_ms, peak_mib, others_pct}, text on stdout)."""
        self.wait_for_quiet()
        busy, start = busy_s(), time.monotonic()
        report, out, err = (os.path.join(self.scratch, n) for n in ("report", "out", "err"))
        subprocess.run([self.launch, report, out, err, *who.command(names, data)], check=True)
        with open(report) as f:
            wall_ns, user_us, system_us, peak_kib, status = map(int, f.read().split())
        others = max(0, busy_s() - busy - (user_us + system_us) / 1e6) / ((time.monotonic() - start) * self.cores)
        if status != 0:
            with open(err, errors="replace") as f:
                raise RuntimeError("%s failed: %s" % (who.name, f.read()[-2000:]))
        with open(out, errors="replace") as f:
            text = f.read()
        return {"wall_ms": wall_ns / 1e6, "cpu_ms": (user_us + system_us) / 1e3, "user_ms": user_us / 1e3,
                "system_ms": system_us / 1e3, "peak_mib": peak_kib / 1024, "others_pct": 100 * min(1, others)}, text


def check(runner, who, names, data):
    """
    The warm-up: everyone's numbers against gpustat's. Returns (those that agree, {name: largest relative difference},
    {name: why it is out}).
    """
    _, text = runner.run(who[0], names, data)
    reference = contest.parse(text, names)
    agree, worst, out = [], {}, {}
    for c in who:
        try:
            _, text = runner.run(c, names, data)
            if c.name.startswith("libcsv"):
                problem = contest.counted(text, data, names)
            elif c.kind == "floor":
                problem = ""
            else:
                worst[c.name], problem = contest.differences(reference, contest.parse(text, names))
        except (RuntimeError, ValueError, KeyError) as e:
            problem = str(e)
        if problem:
            out[c.name] = problem
            worst.pop(c.name, None)
            print("  OUT %s: %s" % (c.name, problem), file=sys.stderr)
        else:
            agree.append(c)
    return agree, worst, out


def sensitivity(runner, who, program, data):
    """Would the check notice another rule? The same data with later ties and without duplicates must not pass it."""
    _, text = runner.run(who[0], ["events"], data)
    reference, notices = contest.parse(text, ["events"]), {}
    for option in (["--ties", "later"], ["--duplicates", "drop"]):
        command = [program, "events", data.directory, "-q", "-f", "csv", *option]
        other = contest.Contestant("gpustat " + " ".join(option), "gpustat", lambda n, d, c=command: c)
        _, text = runner.run(other, ["events"], data)
        worst, problem = contest.differences(reference, contest.parse(text, ["events"]))
        notices[" ".join(option)] = {"noticed": bool(problem), "difference": min(worst, 1e300)}
    return notices


def rounds(runner, who, names, data, n):
    """{name: [run, ...]} of n interleaved rounds."""
    runs = {c.name: [] for c in who}
    for i in range(n):
        order = list(who)
        random.Random(i).shuffle(order)
        for c in order:
            runs[c.name].append(runner.run(c, names, data)[0])
    return runs


def compete(runner, title, who, names, data, n):
    print("%s: %s" % (title, data.what), file=sys.stderr)
    data.warm()
    agree, worst, out = check(runner, who, names, data)
    runs = rounds(runner, agree, names, data, n)
    return {"case": title, "commands": list(names), "data": data.what, "bytes": data.size(), "rounds": n,
            "contestants": [{"name": c.name, "kind": c.kind, "version": c.version, "runs": runs[c.name],
                             "largest_relative_difference": worst.get(c.name)} for c in agree], "out": out}


def fastest(result, n):
    peers = [c for c in result["contestants"] if c["kind"] == "peer"]
    return [c["name"] for c in sorted(peers, key=lambda c: statistics.median(r["wall_ms"] for r in c["runs"]))[:n]]


def main():
    opt = options()
    cache = bench_data.cache_directory()
    if opt.delete_cache:
        shutil.rmtree(cache, ignore_errors=True)
        return 0
    program = os.path.abspath(os.path.join(opt.build, "gpustat"))
    cases = opt.cases.split(",")
    unknown = [c for c in cases if c not in CASES]
    if unknown or opt.rounds < 1 or opt.scale_rounds < 1:
        sys.exit("bench.py: --cases are of %s; rounds at least 1" % ", ".join(CASES))
    cores = len(os.sched_getaffinity(0))
    if opt.peer_memory:
        os.environ["BENCH_PEER_MEMORY"] = opt.peer_memory
        opt.note = " ".join(filter(None, [opt.note, "DuckDB was held to %s." % opt.peer_memory]))
    for d in bench_data.stale(cache):
        shutil.rmtree(d, ignore_errors=True)
    tools = compile_tools(cache)
    who, missing = contest.contestants(tools, program, cache, cores, opt.latest, contest.first_line([program, "--version"]))
    who = [c for c in who if c.name not in opt.without.split(",")]
    for name, reason in missing.items():
        print("missing: %s: %s" % (name, reason), file=sys.stderr)
    data = (None if opt.size else bench_data.terascope(cache)) or bench_data.simulated(cache, opt.size or 1)
    now = datetime.datetime.now(datetime.timezone.utc)
    if not opt.before and "own" in cases:
        missing["gpustat before"] = "--before names an earlier gpustat, to which the report's time is compared"
    report = {"schema": "gpustat.bench/1", "date": now.strftime("%Y-%m-%d %H:%M UTC"), "machine": bench_report.machine(opt.build),
              "load_before": round(os.getloadavg()[0], 2), "note": opt.note, "missing": missing, "results": []}

    def keep(result):
        report["results"].append(result)
        report["load_after"] = round(os.getloadavg()[0], 2)
        bench_report.write(report, opt.results)
        print(bench_report.table(result) + "\n", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(tools, scratch, cores, opt.patience)
        if {"events", "shuffled"} & set(cases):
            report["check"] = sensitivity(runner, who, program, data)
        best = []
        for case in cases:
            if case in ("events", "gpus"):
                keep(compete(runner, case, who, [case], data, opt.rounds))
                best = best or fastest(report["results"][-1], opt.scale_peers)
            elif case == "all":
                keep(compete(runner, "all four commands", who, contest.COMMANDS, data, opt.rounds))
            elif case == "shuffled":
                keep(compete(runner, "events, shuffled rows", who, ["events"], bench_data.shuffled(cache, data), opt.rounds))
            elif case == "own":
                for title, few in contest.own(program, opt.before, scratch, cores, bench_data.damaged(cache, data),
                                              data.paths(["gpu.csv"])[0], bench_data.power_logs(cache)):
                    keep(compete_alone(runner, title, few, data, opt.rounds))
            elif case == "idle":
                few = [c for c in contest.idle() if shutil.which(c.command([], data)[0])]
                keep(compete_alone(runner, "idle", few, None, opt.rounds))
            else:
                best = best or [c.name for c in who if c.kind == "peer"]
                few = [c for c in who if c.kind == "gpustat" or c.name == "wc -l" or c.name in best]
                for scale in map(float, opt.scales.split(",")):
                    large = bench_data.simulated(cache, scale * (opt.size or 1))
                    keep(compete(runner, "events x%g" % scale, few, ["events"], large, opt.scale_rounds))
    print(bench_report.summary(report))
    return 1 if any(r["out"] for r in report["results"]) else 0


def compete_alone(runner, title, who, data, n):
    """No numbers to compare: each does its own work, once more than is counted."""
    runs = rounds(runner, who, [], data, n + 1)
    return {"case": title, "commands": [], "data": data.what if data else "none", "bytes": data.size() if data else 0,
            "rounds": n, "out": {},
            "contestants": [{"name": c.name, "kind": c.kind, "version": c.version, "runs": runs[c.name][1:],
                             "bytes": c.size, "largest_relative_difference": None} for c in who]}


if __name__ == "__main__":
    sys.exit(main())
