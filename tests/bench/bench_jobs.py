"""bench_jobs.py PROGRAM [GPUS JOBS POLLS] - what the accounting of jobs costs beside the means of the same GPUs.

Writes a site (2,000 GPUs in nodes of four, 56,000 jobs, 8.6 million samples unless said otherwise) and a half of it, and
prints the processor time of `jobs` and of `gpus` over each. Fails where `jobs` takes more than 3 times as long as `gpus`,
or where twice the site takes more than 2.6 times as long.
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

START, POLL = 1_760_000_000, 600


def stamp(t):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(t))


def write(folder, n_gpus, n_jobs, n_polls):
    r = random.Random(n_gpus)
    nodes = n_gpus // 4
    with open(os.path.join(folder, "sacct.txt"), "w", encoding="ascii") as f:
        f.write("JobID|User|Account|Partition|JobName|NodeList|Start|End|State|AllocTRES\n")
        free, length = [[START] * 4 for _ in range(nodes)], n_polls * POLL
        mean = 0.8 * length * n_gpus / n_jobs / 1.75
        for job in range(n_jobs):
            node, n = r.randrange(nodes), r.choice((1, 1, 1, 4))
            mine = sorted(range(4), key=lambda g: free[node][g])[:n]
            begin = max(max(free[node][g] for g in mine), START) + r.randrange(600)
            end = begin + 60 + int(r.expovariate(1 / mean))
            for g in mine:
                free[node][g] = end
            f.write("%d|u%02d|a|gpu|work|n%04d|%s|%s|COMPLETED|cpu=4,gres/gpu=%d,node=1\n" %
                    (job, job % 90, node, stamp(begin), stamp(end), n))
    names = ["n%04d,%d," % (k // 4, k % 4) for k in range(n_gpus)]
    values = ["%.1f,%d\n" % (60 + 6 * k, k) for k in range(97)]
    with open(os.path.join(folder, "samples.csv"), "w", encoding="ascii") as f:
        f.write("timestamp,hostname,index,power_w,gpu_util_pct\n")
        for t in range(n_polls):
            at = stamp(START + t * POLL) + ","
            f.write("".join([at + name + values[(t * 31 + k * 7) % 97] for k, name in enumerate(names)]))


def cost(program, folder, *args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *args, folder, "-q", "-f", "csv", "-o", os.path.join(folder, "out.csv.tmp")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.remove(os.path.join(folder, "out.csv.tmp"))
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    program = os.path.abspath(sys.argv[1])
    gpus, jobs, polls = (int(a) for a in sys.argv[2:5]) if len(sys.argv) > 4 else (2000, 56000, 4300)
    seconds, ok = {}, True
    for part in (2, 1):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, gpus // part, jobs // part, polls)
            for command in ("gpus", "jobs"):
                seconds[command, part] = min(cost(program, folder, command) for _ in range(2))
        print("%d GPUs, %d jobs, %d samples: gpus %.2f s, jobs %.2f s, %.2f times" %
              (gpus // part, jobs // part, gpus // part * polls, seconds["gpus", part], seconds["jobs", part],
               seconds["jobs", part] / seconds["gpus", part]), flush=True)
    ok &= seconds["jobs", 1] <= 3 * seconds["gpus", 1]
    ok &= seconds["jobs", 1] <= 2.6 * seconds["jobs", 2]
    print("twice the site: %.2f times" % (seconds["jobs", 1] / seconds["jobs", 2]))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
