#!/usr/bin/env python3
"""Simulates the telemetry of a TeraScope-shaped render: checkpoints, GPU samples and the task table.

Writes application-checkpoints.csv, gpu.csv and task-x-y.csv into --out, in the columns, quoting and
line ends of the TeraScope data set. The same options give the same bytes on every machine: the only
random source is Random.random() and getrandbits(), and the arithmetic is + - * / alone, so no result
depends on a maths library, on the number of processes, or on hash order. Rows are made host by host
and written as they are made; memory grows with the tasks (about 50 bytes each), not with the samples.

  scripts/simulate.py --out data                                   the committed set
  scripts/simulate.py --hosts 1024 --tasks 65536 --out x1          the size of the real run
  scripts/simulate.py --hosts 10240 --tasks 655360 --out x10       ten times that
"""
import argparse
import heapq
import math
import os
import sys
import time
from array import array
from multiprocessing import get_context
from random import Random

START_MS = 1541662874000        # 2018-11-08T07:41:14Z
BATCH_HOSTS = 50                # rows of this many hosts are interleaved, as the real files interleave a pool
LEAD_IN_MS = 7000               # a Render first prepares with the GPU idle
LEAD_OUT_MS = 1300              # and writes its picture with the GPU idle
BUSY_W = 117.0                  # while rendering; the mean over a run is about 89 W
AMBIENT_C = 29.0
BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CENTI = [("%.2f" % (i / 100)).rstrip("0").rstrip(".") for i in range(40000)]   # 2840 -> "28.4", as the study wrote it


def uuid(bits):
    h = "%032x" % bits
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


class Clock:
    """Writes milliseconds since START_MS as quoted RFC 3339; one table entry per second."""

    def __init__(self, length_ms):
        fmt = '"%Y-%m-%dT%H:%M:%S.'
        self.second = [time.strftime(fmt, time.gmtime(START_MS // 1000 + s)) for s in range(length_ms // 1000 + 2)]
        self.milli = ['%03dZ",' % m for m in range(1000)]

    def text(self, ms):
        s, m = divmod(ms, 1000)
        return self.second[s] + self.milli[m]


class Worker:
    """One GPU: who it is, how fast it is, and what it reaches on average over the run."""

    def __init__(self, opt, index):
        rnd = Random(opt.seed * 1000003 + 7 * index + 1)
        r = rnd.random
        host, slot = divmod(index, opt.gpus_per_host)
        pool = Random(opt.seed * 1000003 + 13 * (host // BATCH_HOSTS) + 500000001)
        n = host % BATCH_HOSTS
        self.index, self.host, self.slot = index, host, slot
        self.hostname = "%032x%s" % (pool.getrandbits(128), "0000" + BASE36[n // 36] + BASE36[n % 36])
        self.serial = "032%010d" % ((index * 387420489 + opt.seed * 1000003) % 10**10)      # all different
        self.uuid = "GPU-" + uuid(rnd.getrandbits(128))
        n_workers = opt.hosts * opt.gpus_per_host
        slow = index % 2 == 1                             # the two populations alternate
        self.population = "B" if slow else "A"
        wobble = r() + r() - 1.0                          # what makes a GPU slower also makes it busier
        self.speed = (44.6 / 42.6 if slow else 40.7 / 42.6) * (1.0 + 0.008 * wobble + 0.008 * (r() - 0.5))
        self.util = (65.0 if slow else 62.0) + 0.6 * wobble + 0.5 * (r() - 0.5)
        self.mem = (36.0 if slow else 31.0) + 0.6 * wobble + 0.5 * (r() - 0.5)
        self.busy_w = BUSY_W + (2.0 if slow else 0.0) + 14.0 * (r() + r() - 1.0)
        self.k_per_w = (0.125 if slow else 0.135) * (1.0 + 0.3 * (r() - 0.5))
        self.straggler = n_workers > 2 and index == n_workers // 2 // 2 * 2      # one of the fast population
        self.hot = n_workers > 2 and index == (n_workers * 3 // 4) // 2 * 2 + 1
        if self.straggler:
            self.speed *= 1.09
        if self.hot:
            self.k_per_w = 0.49
        self.misses = index == n_workers // 3
        self.tasks = array("l")
        self.starts = array("l")


class Run:
    """The schedule: which GPU renders which tile, when, and how long each part takes."""

    def __init__(self, opt):
        self.opt = opt
        rnd = Random(opt.seed)
        r = rnd.random
        side = math.isqrt(opt.tasks - 1) + 1
        side8 = math.isqrt(side - 1) + 1
        tiles = [(4, 0, 0)] + [(8, x, y) for x in range(side8) for y in range(side8)]
        deep = [(12, i // side, i % side) for i in range(opt.tasks)]
        mean = sum(cost(x / side, y / side) for _, x, y in deep) / len(deep)
        deep.sort(key=lambda _: r())
        self.tiles = tiles + deep
        n = self.n = len(self.tiles)
        self.ids = [rnd.getrandbits(128) for _ in range(n)]
        self.jobs = {level: "%d-lvl%d-%s" % (opt.hosts, level, uuid(rnd.getrandbits(128))) for level in (4, 8, 12)}
        n_twice = min(n, max(3, n * 247 // 65793))
        self.twice = {2} | {n - 1 - i * (n // n_twice) for i in range(n_twice - 1)}   # one of level 8, as in the study
        self.workers = [Worker(opt, i) for i in range(opt.hosts * opt.gpus_per_host)]

        def column():
            return array("l", bytes(array("l").itemsize * n))
        self.config, self.render, self.wait, self.tiling, self.upload = (column() for _ in range(5))
        free = [(15000 + int(6000 * r()), w.index) for w in self.workers]
        heapq.heapify(free)
        self.end = 0
        for k, (level, x, y) in enumerate(self.tiles):
            t, i = free[0]
            w = self.workers[i]
            w.tasks.append(k)
            w.starts.append(t)
            shape = cost(x / side, y / side) / mean if level == 12 else 1.145 if level == 8 else 1.35
            part = r()
            self.config[k] = 2 if part < 0.6 else 3 if part < 0.96 else 4
            self.render[k] = int(41208 * shape * w.speed * (1.0 + 0.07 * (r() + r() + r() - 1.5)))
            self.wait[k] = 6 + int(4 * r() * r())
            self.tiling[k] = int(973 + 115 * (r() + r() - 1.0))
            stall = 8000 + int(24000 * r()) if r() < 0.012 else 0          # now and then the storage makes it wait
            self.upload[k] = self.wait[k] + self.tiling[k] + int(10 + 220 * r() * r()) + stall
            stop = t + self.config[k] + self.render[k] + self.upload[k]
            self.end = max(self.end, stop)
            heapq.heapreplace(free, (stop + 1100 + int(1900 * (r() + r())), i))
        self.end += 25000
        self.clock = Clock(self.end)
        n_repeat = max(4, len(self.workers) * 9 // 1024)
        self.repeats = {i * len(self.workers) // n_repeat for i in range(n_repeat)}


def cost(u, v):
    """Relative render time of a tile: a slow centre, a fast river across it. No maths library."""
    centre = 1.0 / (1.0 + 9.0 * ((u - 0.55) * (u - 0.55) + (v - 0.4) * (v - 0.4)))
    across = v - 0.15 - 0.5 * u
    return 0.95 + 0.3 * centre - 0.35 / (1.0 + 500.0 * across * across)


def busy_spans(run, w):
    for k, t in zip(w.tasks, w.starts):
        a = t + run.config[k]
        b = a + run.render[k]
        yield t, a + LEAD_IN_MS, b - LEAD_OUT_MS, b + run.upload[k]


def gpu_rows(run, w):
    """The GPU's samples in time order, as lines."""
    opt = run.opt
    host = Random(opt.seed * 1000003 + 31 * w.host + 700000001)
    at, step, jitter = host.random() * opt.interval * 1000, opt.interval * 1000, host.random
    times = []
    while at < run.end:
        times.append(int(at + 2.0 * jitter()))
        at += step
    if w.misses and len(times) > 2:
        del times[len(times) // 2]

    # First pass: where each sample falls. 0 = idle, 1 = rendering, 2 = the first sample of a rendering.
    spans = list(busy_spans(run, w))
    far = (run.end + 1, run.end + 1, run.end + 1, run.end + 1)
    kinds, idle_since = [], []
    it = iter(spans)
    cur = next(it, far)
    last_busy, first = -10**9, True
    for t in times:
        while t > cur[3]:
            last_busy, first = cur[2], True
            cur = next(it, far)
        if cur[1] <= t < cur[2]:
            kinds.append(2 if first else 1)
            first = False
            idle_since.append(0)
        else:
            kinds.append(0)
            idle = t - (cur[2] if t >= cur[2] else last_busy)
            idle_since.append(min(idle, 10000) if t >= cur[0] else idle)
    n_busy = len(times) - kinds.count(0)
    level = w.util * len(times) / n_busy if n_busy else 0.0      # so that the mean over the run is the GPU's own
    mem_level = w.mem * len(times) / n_busy if n_busy else 0.0

    ident = '"%s","%s","%s",' % (w.hostname, w.serial, w.uuid)
    rnd = Random(opt.seed * 1000003 + 17 * w.index + 900000001)
    r = rnd.random
    second, milli, centi = run.clock.second, run.clock.milli, CENTI
    dt = opt.interval
    follow = dt / (14.0 + dt)                                    # the heat sink's time constant is about 14 s
    per_w, busy_w = w.k_per_w, w.busy_w
    temp = AMBIENT_C + per_w * 27.0
    out = []
    add = out.append
    for t, kind, idle in zip(times, kinds, idle_since):
        if kind:
            p = busy_w + 42.0 * (r() + r() - 1.0)
            u = int(level + 5.0 * r() - 2.0)
            m = int(mem_level + 9.0 * r() - 4.0)
            if kind == 2:
                p = 60.0 + 20.0 * r()
            if u > 100:
                u = 100
            load = ",%d,%d\n" % (u, m)
        else:
            load = ",0,0\n"
            if idle > 20000:
                p = 25.0 + 3.5 * r()                             # cold: nothing has run for a while
            elif idle < 4000:
                p = 47.0 - idle * 0.0025 + 3.0 * (r() - 0.5)     # the clocks step down
            else:
                p = 37.0 + 5.0 * (r() - 0.5)
        temp += (AMBIENT_C + per_w * p - temp) * follow
        add(second[t // 1000] + milli[t % 1000] + ident + centi[int(p * 100)] + ",%d" % (temp + r()) + load)
    if w.index in run.repeats:
        add(out[len(out) * 2 // 3])                              # the same row once more
    return out


def checkpoint_blocks(run, w):
    """The ten rows of each task, as one block of lines in a random order."""
    rnd = Random(run.opt.seed * 1000003 + 23 * w.index + 1100000001)
    r, text = rnd.random, run.clock.text
    gpu = ',"%s"\n' % w.uuid if run.opt.gpu_column else "\n"
    blocks = []
    for k, t in zip(w.tasks, w.starts):
        a = t + run.config[k]
        b = a + run.render[k]
        c = b + run.wait[k]
        stop = b + run.upload[k]
        tail = '","%s","%s"%s' % (run.jobs[run.tiles[k][0]], uuid(run.ids[k]), gpu)
        host = '"%s","' % w.hostname
        rows = [text(at) + host + name + tail for at, name in (
            (t, 'Saving Config","START'), (a, 'Saving Config","STOP'), (a, 'Render","START'), (b, 'Render","STOP'),
            (b, 'Uploading","START'), (c, 'Tiling","START'), (c + run.tiling[k], 'Tiling","STOP'),
            (stop, 'Uploading","STOP'), (t, 'TotalRender","START'), (stop, 'TotalRender","STOP'))]
        rows.sort(key=lambda _: r())
        blocks.append("".join(rows))
        if k in run.twice:
            blocks.append("".join(rows))
    return blocks


RUN = None      # what the forked processes share


def batch_rows(number):
    """Both tables' rows of one batch of hosts, shuffled among those hosts."""
    per = BATCH_HOSTS * RUN.opt.gpus_per_host
    rnd = Random(RUN.opt.seed * 1000003 + number + 1300000001)
    r = rnd.random
    rows, blocks = [], []
    for w in RUN.workers[number * per:(number + 1) * per]:
        rows += gpu_rows(RUN, w)
        blocks += checkpoint_blocks(RUN, w)
    rows.sort(key=lambda _: r())
    blocks.sort(key=lambda _: r())
    return "".join(rows).encode(), "".join(blocks).encode()


class Table:
    """An output file. With --shuffle its rows go through bucket files, so that any row may land anywhere."""

    def __init__(self, path, header, shuffle_seed, size):
        self.file = open(path, "wb")
        self.file.write(header.encode())
        self.buckets = []
        if shuffle_seed is not None:
            self.rnd = Random(shuffle_seed)
            self.buckets = [open("%s.bucket%d" % (path, i), "w+b") for i in range(min(256, 1 + size // 16000000))]

    def write(self, data):
        if not self.buckets:
            self.file.write(data)
            return
        parts = [[] for _ in self.buckets]
        n, r = len(parts), self.rnd.random
        for line in data.splitlines(True):
            parts[int(r() * n)].append(line)
        for part, bucket in zip(parts, self.buckets):
            bucket.write(b"".join(part))

    def close(self):
        for bucket in self.buckets:
            bucket.seek(0)
            lines = bucket.read().splitlines(True)
            r = self.rnd.random
            lines.sort(key=lambda _: r())
            self.file.write(b"".join(lines))
            bucket.close()
            os.unlink(bucket.name)
        self.file.close()


def write_all(opt):
    global RUN
    run = RUN = Run(opt)
    os.makedirs(opt.out, exist_ok=True)
    n_workers = len(run.workers)
    n_samples = int(n_workers * run.end / (opt.interval * 1000))

    def table(name, header, seed, size):
        return Table(os.path.join(opt.out, name), header, opt.seed + seed if opt.shuffle else None, size)
    tasks = table("task-x-y.csv", "taskId,jobId,x,y,level\n", 1, run.n * 99)
    tasks.write("".join('"%s","%s",%d,%d,%d\n' % (uuid(run.ids[k]), run.jobs[run.tiles[k][0]], run.tiles[k][1],
                                                 run.tiles[k][2], run.tiles[k][0])
                        for k in sorted(range(run.n), key=run.ids.__getitem__)).encode())
    tasks.close()
    gpu = table("gpu.csv", '"timestamp","hostname","gpuSerial","gpuUUID","powerDrawWatt","gpuTempC","gpuUtilPerc",'
                '"gpuMemUtilPerc"\n', 2, n_samples * 142)
    points = table("application-checkpoints.csv", '"timestamp","hostname","eventName","eventType","jobId","taskId"' +
                   (',"gpuUUID"' if opt.gpu_column else "") + "\n", 3, run.n * 1765)
    n_batches = -(-n_workers // (BATCH_HOSTS * opt.gpus_per_host))

    def take(results):
        for samples, checkpoints in results:
            gpu.write(samples)
            points.write(checkpoints)
    if n_batches > 1 and opt.jobs > 1:
        with get_context("fork").Pool(opt.jobs) as pool:
            take(pool.imap(batch_rows, range(n_batches)))
    else:
        take(map(batch_rows, range(n_batches)))
    gpu.close()
    points.close()
    special = ", ".join("%s %s" % (w.hostname, what) for w in run.workers
                        for what, on in (("is the straggler", w.straggler), ("is the hot one", w.hot),
                                         ("misses a sample", w.misses)) if on)
    print("%d GPUs, %d tasks, %d s%s" % (n_workers, run.n, run.end // 1000, special and ": " + special), file=sys.stderr)


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("'%s' is not a positive number" % text)
    return value


def seconds(text):
    value = float(text)
    if not 0.01 <= value <= 3600:
        raise argparse.ArgumentTypeError("'%s' is not between 0.01 and 3600" % text)
    return value


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True, metavar="DIR", help="where the three files go; made if it is not there")
    p.add_argument("--hosts", type=positive, default=14, metavar="N", help="hosts (default %(default)s)")
    p.add_argument("--gpus-per-host", type=positive, default=1, metavar="N", help="GPUs on each host (default 1)")
    p.add_argument("--tasks", type=positive, default=256, metavar="N",
                   help="tiles of level 12, a square where N is one; level 8 gets the square root of that, "
                        "level 4 one tile (default %(default)s: 256 + 16 + 1)")
    p.add_argument("--interval", type=seconds, default=1.973, metavar="S",
                   help="seconds between two samples of a GPU (default %(default)s)")
    p.add_argument("--seed", type=int, default=2018, metavar="N", help="default %(default)s")
    p.add_argument("--gpu-column", action="store_true", help="name the GPU of each checkpoint in a column gpuUUID")
    p.add_argument("--shuffle", action="store_true", help="put the rows of every file into an entirely random order")
    p.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N",
                   help="processes (default: one per core); the bytes do not depend on it")
    write_all(p.parse_args())


if __name__ == "__main__":
    main()
