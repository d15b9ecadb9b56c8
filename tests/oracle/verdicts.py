"""verdicts.py PROGRAM [FLEETS [CELL]] - which GPU is slow, on simulated fleets whose truth is known.

Each cell is a kind of fleet; FLEETS of each (6 where none is given, 300 and more for a release) are written as logs,
`stragglers` judges them, and the shares of false alarms, of faults found and of right words are held to the limits below:
false alarms at most the share that the rule's prototype reached plus two standard errors, faults found at least that
share less 2 points (below 300 fleets: and two standard errors). CELL (a substring) chooses cells.

A healthy fleet: GPUs differ by 1 % in clock and 3 % in power, a chassis by 3 K, its slots by 12 K; clocks wander by 2 %
within 20 s and drop for single readings; the load comes in waves that siblings share, pauses for a minute in thirty, and
1 reading in 100 is missing.
"""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

INSTANTS = 600

# What a fault does: clock and power (relative), degrees, points of utilisation, share of the time.
FAULTS = {
    "thermal -23 %": (-0.23, -0.09, 18, 0, 1),
    "thermal -15 %": (-0.15, -0.08, 14, 0, 1),
    "thermal -10 %": (-0.10, -0.05, 12, 0, 1),
    "thermal -7 %": (-0.07, -0.04, 10, 0, 1),
    "power cap": (-0.12, -0.30, -6, 0, 1),
    "board -8 %": (-0.08, -0.04, 0, 0, 1),
    "a fifth of the time": (-0.23, -0.10, 12, 0, 0.2),
    "waiting": (0, -0.10, -3, -20, 1),
    "starved": (0.01, -0.35, -10, 0, 1),
}

# name: GPUs, GPUs of a host, period in s, length in s, silicon spread in %, fault, share of faulty GPUs,
# jobs known, percentage of fleets with a false alarm, of faults found, of right words (word, %)
CELLS = {}


def cell(name, n, per, poll, length, fault=None, silicon=1, share=0, jobs=False, false=0.2, found=None, word=None):
    CELLS["%s, %d GPUs, %g s" % (name, n, poll)] = (n, per, poll, length, silicon, fault, share, jobs, false, found, word)


for N, PER in ((2, 2), (4, 4), (8, 8), (32, 8), (128, 8)):
    for POLL, LENGTH in ((1, 600), (5, 3600), (30, 86400), (30, 600)):
        FEW = LENGTH < 20 * POLL + 1  # 20 samples
        END = " in 20 samples" if FEW else ""
        cell("healthy" + END, N, PER, POLL, LENGTH)
        cell("healthy, silicon 1.5 %" + END, N, PER, POLL, LENGTH, silicon=1.5, false=0.4)
        cell("healthy, silicon 2 %" + END, N, PER, POLL, LENGTH, silicon=2, false=4 if N == 2 else 3)
        for FAULT, LEAST in (("thermal -23 %", 100), ("thermal -15 %", 100),
                             ("thermal -10 %", 76 if FEW and N == 128 else 90), ("thermal -7 %", 42),
                             ("power cap", 100), ("board -8 %", 53 if FEW else 75),
                             ("a fifth of the time", None if FEW else 85), ("waiting", 100), ("starved", 100)):
            WORD = None
            if FAULT in ("thermal -23 %", "thermal -15 %"):
                WORD = ("hot-and-slow", 50 if N == 2 else 90)
            cell(FAULT + END, N, PER, POLL, LENGTH, FAULT, found=LEAST, word=WORD)
for N in (16, 128):
    cell("jobs, healthy", N, 8, 5, 3600, jobs=True)
    cell("jobs, healthy, silicon 2 %", N, 8, 5, 3600, silicon=2, jobs=True, false=3)
cell("jobs, a quarter throttled", 128, 8, 5, 3600, "thermal -23 %", share=0.25, jobs=True, found=100)
cell("jobs, 40 % throttled", 128, 8, 5, 3600, "thermal -23 %", share=0.4, jobs=True, found=100)
# Sites whose hosts are shared: jobs hold parts of a host, each with a load of its own; see write_site.
LOADS = ((98, 640, -0.10), (98, 560, 0), (50, 350, 0), (30, 250, 0))  # utilisation, power, clock: the first is at its cap
for WAY, LEAST in (("sacct", 100), ("labels", 95), ("gpus", 70)):
    for N, PER in ((8, 8), (64, 8), (64, 4)):
        cell("shared by %s, healthy, %d a host" % (WAY, PER), N, PER, 30, 43200, jobs=WAY)
        cell("shared by %s, thermal, %d a host" % (WAY, PER), N, PER, 30, 43200, "thermal -23 %", jobs=WAY, found=LEAST,
             word=("hot-and-slow", LEAST - 3))


def wander(r, n, step, tau, sd):
    """An autoregressive series: sd about 0, forgotten within tau seconds."""
    keep = math.exp(-step / tau)
    push, x, series = sd * math.sqrt(1 - keep * keep), r.gauss(0, sd), []
    for _ in range(n):
        series.append(x)
        x = keep * x + r.gauss(0, push)
    return series


def write_site(folder, r, c, faulty):
    """Jobs of 1 to PER GPUs that come and go, GPUs free between them, and what each GPU then reads."""
    n, per, poll, length, silicon, fault, _, way = c[:8]
    what = FAULTS.get(fault)
    rows, jobs = [], []
    for host in range(n // per):
        held = [[] for _ in range(per)]  # start, stop, job, load of each GPU
        chassis = r.gauss(0, 3)
        while True:
            k = r.choice([1, 2, 2, 4, per])
            slots = sorted(range(per), key=lambda s: held[s][-1][1] if held[s] else 0)[:k]
            start = max([held[s][-1][1] for s in slots if held[s]] + [0]) + r.expovariate(1 / 1800)
            if start > length:
                break
            stop, load = start + r.uniform(1800, 10800), r.choice(LOADS)
            jobs.append((len(jobs) + 100, host, slots, start, min(stop, length)))
            for s in slots:
                held[s].append((start, stop, jobs[-1][0], load))
        for s in range(per):
            gpu = host * per + s
            clock0, power0 = 1755 * (1 + r.gauss(0, silicon / 100)), 1 + r.gauss(0, 0.03)
            temp0 = 40 + 12 * s / max(1, per - 1) + chassis + r.gauss(0, 1.5)
            at = 0
            for t in range(0, length, poll):
                while at + 1 < len(held[s]) and held[s][at + 1][0] <= t:
                    at += 1
                job = held[s][at] if held[s] and held[s][at][0] <= t < held[s][at][1] else None
                util, power, slower = job[3] if job else (0, 62, 0)
                clock = clock0 * (1 + slower + r.gauss(0, 0.01)) if job else 345
                temp = temp0 + 25 * power / 640 + r.gauss(0, 1.5)
                power = power * power0 * (1 + r.gauss(0, 0.04))
                if job and gpu in faulty:
                    clock, power, temp = clock * (1 + what[0]), power * (1 + what[1]), temp + what[2]
                label = ",%s" % (job[2] if job else "") if way == "labels" else ""
                rows.append("%d,n%03d,%d,%d,%.1f,%d,%d%s" % (1.7e9 + t, host, s, round(clock / 15) * 15, power, temp,
                                                            max(0, min(100, util + r.gauss(0, 2))) if job else 0, label))
    with open(os.path.join(folder, "gpu.csv"), "w", encoding="ascii") as f:
        f.write("timestamp,hostname,index,sm_clock_mhz,power_w,temp_c,gpu_util_pct%s\n" % (",hpc_job" if way == "labels" else ""))
        f.write("\n".join(rows) + "\n")
    with open(os.path.join(folder, "jobs.csv"), "w", encoding="ascii") as f:
        f.write("job,user,hostname,%sstart,stop,state\n" % ("gpu," if way == "gpus" else "gpus,"))
        for job, host, slots, start, stop in jobs:
            for s in slots if way == "gpus" else [len(slots)]:
                f.write("%d,u%d,n%03d,%d,%d,%d,COMPLETED\n" % (job, job % 7, host, s, 1.7e9 + start, 1.7e9 + stop))
    return n


def write_fleet(path, r, c, faulty):
    n, per, poll, length, silicon, fault, _, jobs = c[:8]
    count = max(20, min(INSTANTS, int(length / poll)))
    step = max(poll, length / count)
    what = FAULTS.get(fault)
    rows = []
    for host in range((n + per - 1) // per):
        wave = wander(r, count, step, 300, 0.03)
        chassis = r.gauss(0, 3)
        for slot in range(min(per, n - host * per)):
            gpu = host * per + slot
            clock0 = 1755 * (1 + r.gauss(0, silicon / 100))
            power0 = 640 * (1 + r.gauss(0, 0.03))
            temp0 = 55 + 12 * slot / max(1, per - 1) + chassis + r.gauss(0, 1.5)
            clocks = wander(r, count, step, 20, 0.02)
            powers = wander(r, count, step, 30, 0.05)
            temps = wander(r, count, step, 200, 1.5)
            for t in range(count):
                at = t * step
                clock = clock0 * (1 + clocks[t]) - (r.uniform(100, 500) if r.random() < 0.03 else 0)
                power = power0 * (1 + wave[t] + powers[t])
                temp = temp0 + 3 * math.sin(2 * math.pi * at / 86400) + temps[t] + 15 * wave[t]
                util = 97 + 40 * wave[t] + r.gauss(0, 3)
                if gpu in faulty:
                    on = what[4] >= 1 or (at / length * 7) % 1 < what[4]
                    if on:
                        clock, power, util = clock * (1 + what[0]), power * (1 + what[1]), util + what[3]
                    temp += what[2] * (1 if on else 0.3)
                clock = round(min(clock, 1980) / 15) * 15
                if at % 1800 <= 60 or not length * 0.02 < at < length * 0.98:
                    clock, power, temp, util = 345, 62 + r.gauss(0, 1), temp - 20, 0
                cells = ["%d" % clock, "%.1f" % power, "%d" % round(temp), "%d" % round(min(max(util, 0), 100))]
                cells = ["" if r.random() < 0.01 else x for x in cells]
                rows.append("%.3f,n%03d,%d,%s%s" % (1.7e9 + at, host, slot, ",".join(cells), ",job1" if jobs else ""))
    with open(path, "w", encoding="ascii") as f:
        f.write("timestamp,hostname,index,sm_clock_mhz,power_w,temp_c,gpu_util_pct%s\n" % (",job_id" if jobs else ""))
        f.write("\n".join(rows) + "\n")
    return n


def judge(program, path):
    out = subprocess.run([program, "stragglers", path, "--all", "-q", "-f", "csv"], capture_output=True, text=True, check=True)
    return {(row["hostname"], row["gpu_uuid"] or row["gpu_serial"]): row["gpu_verdict"] for row in csv.DictReader(out.stdout.splitlines())}


def allowed(percent, n, fleets=0):
    """How many of n a true share of `percent` explains: two standard errors above; none above it in 300 fleets and more."""
    p = max(percent, 0.2) / 100
    return n * p + (2 * math.sqrt(n * p * (1 - p)) if fleets < 300 else 0)


def run(program, name, fleets, folder):
    c = CELLS[name]
    n, per, fault, share, false, found, word = c[0], c[1], c[5], c[6], c[8], c[9], c[10]
    alarms = n_found = n_faulty = n_words = 0
    shared = isinstance(c[7], str)
    path = folder if shared else os.path.join(folder, "fleet.csv")
    good = ("ok", "") if shared else ("ok",)  # a GPU that no job used has no verdict
    for i in range(fleets):
        r = random.Random("%s %d" % (name, i))
        faulty = set(r.sample(range(n), max(1, round(n * share)))) if fault else set()
        (write_site if shared else write_fleet)(path, r, c, faulty)
        verdict = judge(program, path)
        if len(verdict) != n:
            sys.exit("%s: %d rows for %d GPUs" % (name, len(verdict), n))
        truth = {("n%03d" % (g // per), str(g % per)) for g in faulty}
        alarms += any(v not in good for k, v in verdict.items() if k not in truth)
        n_faulty += len(truth)
        n_found += sum(verdict[k] not in good for k in truth)
        n_words += sum(verdict[k] == (word or ("",))[0] for k in truth)
    ok = alarms <= allowed(false, fleets)
    text = "%s: false alarms %d of %d" % (name, alarms, fleets)
    if found is not None:
        text += ", found %d of %d" % (n_found, n_faulty)
        ok &= n_faulty - n_found <= allowed(102 - found, n_faulty, fleets)
    if word is not None:
        text += ", %s %d" % (word[0], n_words)
        ok &= n_faulty - n_words <= allowed(102 - word[1], n_faulty, fleets)
    print(text if ok else "FAILED " + text, flush=True)
    return ok


def main():
    program = os.path.abspath(sys.argv[1])
    fleets = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    wanted = [k for k in CELLS if len(sys.argv) < 4 or sys.argv[3] in k]
    if len(sys.argv) < 3:  # a sample: what takes a second or so
        wanted = [k for k in wanted if CELLS[k][0] == 8 and (CELLS[k][2] == 5 or "shared" in k)]
    with tempfile.TemporaryDirectory() as folder:
        failed = [k for k in wanted if not run(program, k, fleets, folder)]
    print("%d cells, %d failed" % (len(wanted), len(failed)))
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
