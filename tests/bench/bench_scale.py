#!/usr/bin/env python3
"""Time and memory of one question by shards, in passes and over parts; what a petabyte would take.

    bench_scale.py BUILD --cut RUN [RUN...] [--out NAME]

RUNs are directories as scripts/simulate.py makes them, from small to large; the one of --cut is read by shards too. Each process is timed
alone (user and system time, peak memory: wait4), its least of --rounds rounds counts, and every answer must have the
bytes of the whole run. Two straight lines are fitted by least squares to what was measured, and nothing else:

    processor seconds of a shard  = start + read * bytes read + keep * bytes kept
    MiB of a shard                = base + per_kept * bytes kept

The result is written as NAME.md and NAME.json beside the others in results/.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

GIB = float(1 << 30)
QUESTION = ["events"]


def timed(argv, rounds=1, stdout=None):
    """Least processor time, its wall time, and the peak memory of a process in MiB."""
    best = None
    for _ in range(rounds):
        with open(stdout or os.devnull, "wb") as out:
            pid = subprocess.Popen(argv, stdout=out, stderr=subprocess.DEVNULL)
            _, status, use = os.wait4(pid.pid, 0)
            pid.returncode = os.waitstatus_to_exitcode(status)
        if pid.returncode != 0:
            sys.exit("failed: " + " ".join(argv))
        one = {"cpu_s": use.ru_utime + use.ru_stime, "mib": use.ru_maxrss / 1024}
        best = one if best is None or one["cpu_s"] < best["cpu_s"] else dict(best, mib=max(best["mib"], one["mib"]))
    return best


def run_bytes(directory):
    """What the question reads of a run."""
    return sum(os.path.getsize(os.path.join(directory, n)) for n in ("application-checkpoints.csv", "gpu.csv"))


def least_squares(rows, y):
    """Coefficients of y over the columns of rows: the normal equations, by elimination."""
    n = len(rows[0])
    a = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * v for r, v in zip(rows, y))] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(a[k][i]))
        a[i], a[pivot] = a[pivot], a[i]
        for k in range(n):
            if k != i:
                f = a[k][i] / a[i][i]
                a[k] = [x - f * v for x, v in zip(a[k], a[i])]
    return [a[i][n] / a[i][i] for i in range(n)]


def same(a, b):
    with open(a, "rb") as x, open(b, "rb") as y:
        return x.read() == y.read()


def measure(program, runs, largest, rounds, scratch):
    rows = {"cut": os.path.basename(largest), "whole": [], "shards": [], "passes": [], "split": []}
    whole = os.path.join(scratch, "whole.csv")
    again = os.path.join(scratch, "again.csv")
    for run in runs:
        one = timed([program, *QUESTION, run, "-q", "-f", "csv"], rounds, whole if run == largest else again)
        rows["whole"].append(dict(one, run=os.path.basename(run), gib=run_bytes(run) / GIB))
    gib = run_bytes(largest) / GIB
    for n in (1, 2, 4, 8, 16):
        states = [os.path.join(scratch, "%d.state" % i) for i in range(1, n + 1)]
        parts = [timed([program, *QUESTION, largest, "-q", "--shard", "%d/%d" % (i, n), "--partial", s])
                 for i, s in enumerate(states, 1)]
        merge = timed([program, "merge", *states, "-q", "-f", "csv"], rounds, again)
        if not same(whole, again):
            sys.exit("%d shards print other bytes" % n)
        rows["shards"].append({"n": n, "gib": gib, "kept_gib": gib / n,
                               "cpu_s": sum(p["cpu_s"] for p in parts) / n, "mib": max(p["mib"] for p in parts),
                               "state_kib": sum(map(os.path.getsize, states)) / n / 1024,
                               "merge_cpu_s": merge["cpu_s"], "merge_mib": merge["mib"]})
        for s in states:
            os.unlink(s)
    for size in ("400M", "200M", "150M", "100M"):
        one = timed([program, *QUESTION, largest, "-q", "-f", "csv", "--max-memory", size], rounds, again)
        if not same(whole, again):
            sys.exit("--max-memory %s prints other bytes" % size)
        rows["passes"].append(dict(one, limit=size))
    parts = os.path.join(scratch, "parts")
    for n in (64,):
        one = timed([program, "split", largest, "-q", "-o", parts + str(n), "--parts", str(n)])
        packed = sum(os.path.getsize(os.path.join(parts + str(n), f)) for f in os.listdir(parts + str(n)))
        read = timed([program, *QUESTION, parts + str(n), "-q", "-f", "csv"], 1, again)
        if not same(whole, again):
            sys.exit("the parts of split print other bytes")
        rows["split"].append(dict(one, n=n, packed_gib=packed / GIB, read_cpu_s=read["cpu_s"], read_mib=read["mib"]))
    return rows


def fit(rows):
    shards = [(s["gib"], s["kept_gib"], s["cpu_s"], s["mib"]) for s in rows["shards"]]
    shards += [(w["gib"], w["gib"], w["cpu_s"], w["mib"]) for w in rows["whole"]]
    start, read, keep = least_squares([(1, g, k) for g, k, _, _ in shards], [c for _, _, c, _ in shards])
    base, per_host, per_kept = least_squares([(1, g, k) for g, k, _, _ in shards], [m for _, _, _, m in shards])
    worst = max(abs(start + read * g + keep * k - c) / c for g, k, c, _ in shards if c > 0.5)
    return {"start_s": start, "read_s_per_gib": read, "keep_s_per_gib": keep, "base_mib": base,
            "names_mib_per_gib": per_host, "mib_per_kept_gib": per_kept, "worst_residual": worst}


def petabyte(rows, m, nodes, cores):
    """1 PB of text on the nodes: each has the rows of its own hosts in files of its own, a task per core."""
    total = 1e15 / GIB
    own = total / nodes
    task = own / cores
    cpu = own * (m["read_s_per_gib"] + m["keep_s_per_gib"])
    state = rows["shards"][0]["state_kib"] / rows["shards"][0]["kept_gib"]  # KiB a GiB: it grows with the durations
    merge = rows["shards"][-1]["merge_cpu_s"] / rows["shards"][-1]["gib"]
    split = rows["split"][-1]["cpu_s"] / rows["shards"][0]["gib"]
    return {"nodes": nodes, "cores": cores, "own_gib": own, "node_cpu_h": cpu / 3600, "node_h": cpu / cores / 3600,
            "task_gib_memory": (m["base_mib"] + (m["names_mib_per_gib"] + m["mib_per_kept_gib"]) * task) / 1024,
            "passes_at_4_gib": max(1.0, (m["mib_per_kept_gib"] * task / 1024) / 4),
            "state_gib": total * state / 1024 / 1024, "merge_h": total * merge / 3600,
            "split_node_h": own * split / cores / 3600, "disk_mib_s": own * 1024 / (cpu / cores)}


def write(rows, m, p, out, version):
    w = []
    add = w.append
    add("# Scale: %s\n" % " ".join(QUESTION))
    add("%s; user and system time of whole processes, least of the rounds; files in the page cache; "
        "every answer has the bytes of the whole run. Written by `tests/bench/bench_scale.py`.\n" % version)
    add("## By size\n\n| run | GiB | CPU s | CPU s/GiB | MiB |\n| --- | ---: | ---: | ---: | ---: |")
    for r in rows["whole"]:
        add("| %s | %.2f | %.2f | %.2f | %.0f |" % (r["run"], r["gib"], r["cpu_s"], r["cpu_s"] / r["gib"], r["mib"]))
    add("\n## By shards\n\nOf %s; every shard reads it all and keeps its hosts.\n\n"
        "| shards | CPU s each | MiB each | state KiB each | merge CPU s | merge MiB |\n"
        "| ---: | ---: | ---: | ---: | ---: | ---: |" % rows["cut"])
    for r in rows["shards"]:
        add("| %d | %.2f | %.0f | %.0f | %.2f | %.0f |" % (r["n"], r["cpu_s"], r["mib"], r["state_kib"],
                                                          r["merge_cpu_s"], r["merge_mib"]))
    add("\n## In passes\n\n| --max-memory | CPU s | of one pass | MiB |\n| --- | ---: | ---: | ---: |")
    one = next(r["cpu_s"] for r in rows["whole"] if r["gib"] == rows["shards"][0]["gib"])
    for r in rows["passes"]:
        add("| %s | %.2f | %.2f | %.0f |" % (r["limit"], r["cpu_s"], r["cpu_s"] / one, r["mib"]))
    add("\n## Dealt out\n\n| split --parts | CPU s | of events | MiB | packed GiB | events over them, CPU s | MiB |\n"
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for r in rows["split"]:
        add("| %d | %.2f | %.2f | %.0f | %.2f | %.2f | %.0f |" % (r["n"], r["cpu_s"], r["cpu_s"] / one, r["mib"],
                                                               r["packed_gib"], r["read_cpu_s"], r["read_mib"]))
    add("\n## A petabyte on %d nodes of %d cores\n" % (p["nodes"], p["cores"]))
    add("Fitted to the first two tables: a process takes %.2f s + %.2f s a GiB read + %.2f s a GiB kept (worst residual "
        "%.0f %%) and %.0f MiB + %.1f MiB a GiB read (names) + %.0f MiB a GiB kept.\n"
        % (m["start_s"], m["read_s_per_gib"], m["keep_s_per_gib"], 100 * m["worst_residual"], m["base_mib"],
           m["names_mib_per_gib"], m["mib_per_kept_gib"]))
    add("| what | of each node | in all |\n| --- | ---: | ---: |")
    add("| text | %.0f GiB | 1 PB |" % p["own_gib"])
    add("| processor time | %.2f h | %.0f h |" % (p["node_cpu_h"], p["node_cpu_h"] * p["nodes"]))
    add("| time, every core busy | %.1f min | |" % (p["node_h"] * 60))
    add("| that is, where its files give | %.1f GiB/s | %.0f GiB/s |" % (p["disk_mib_s"] / 1024,
                                                                       p["disk_mib_s"] * p["nodes"] / 1024))
    add("| time where they give 2 GiB/s | %.1f min | |" % (p["own_gib"] / 2 / 60))
    add("| memory of a task in one pass | %.1f GiB | |" % p["task_gib_memory"])
    add("| passes with --max-memory 4G | %.0f | |" % p["passes_at_4_gib"])
    add("| states | %.1f GiB | %.0f GiB |" % (p["state_gib"] / p["nodes"], p["state_gib"]))
    add("| merging them, one process | | %.1f h |" % p["merge_h"])
    add("| `split` before, where the rows are not by host yet | %.1f min | |" % (p["split_node_h"] * 60))
    add("""
What this assumes, and where it would not hold:

- The rows of a host lie in the files of one node (a log per node or rack, or the parts of `split`): a shard of a split
  opens its own parts alone, and states of all its shards merge. Where every task reads everything, as `--shard` over
  common files does, the reading alone is %.0f h of processor time a task.
- Rows like those measured: bytes of a row, samples of a host, events of a task. The lines are straight over the measured
  sizes, %.2f to %.2f GiB; a node's %.0f GiB are far outside of them.
- The files come as fast as the page cache gives them here; a node's disks or network that give less than the rate above
  set the time themselves.
- Processors like the one measured, and cores that do not slow each other down.
- States grow with the events, whose durations are kept for exact quantiles, and the last merge holds all of them: more
  than a node's memory here. A question of a petabyte is asked by week or by job, or with fewer events (`--event NAME`);
  what a pair of states adds up to can be merged again (`merge --partial`), on any node.
""" % (1e15 / GIB * m["read_s_per_gib"] / 3600, rows["whole"][0]["gib"], rows["whole"][-1]["gib"], p["own_gib"]))
    with open(out + ".md", "w") as f:
        f.write("\n".join(w))
    with open(out + ".json", "w") as f:
        json.dump({"version": version, "rows": rows, "model": m, "petabyte": p}, f, indent=1)
        f.write("\n")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("build")
    a.add_argument("run", nargs="+")
    a.add_argument("--cut", required=True, help="which of the runs is read by shards, in passes and over parts")
    a.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "results", "scale"))
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("--nodes", type=int, default=1000)
    a.add_argument("--cores", type=int, default=32)
    o = a.parse_args()
    program = os.path.join(os.path.abspath(o.build), "gpustat")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    with open("/proc/cpuinfo") as f:
        cpu = next((l.split(":", 1)[1].strip() for l in f if l.startswith("model name")), "unknown processor")
    with tempfile.TemporaryDirectory() as scratch:
        rows = measure(program, o.run, o.cut, o.rounds, scratch)
    m = fit(rows)
    write(rows, m, petabyte(rows, m, o.nodes, o.cores), o.out, "%s, %s, %d cores" % (version, cpu, os.cpu_count()))


if __name__ == "__main__":
    main()
