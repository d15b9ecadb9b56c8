#!/usr/bin/env python3
"""Logs as nvidia-smi writes them, of any size: the columns of real ones, readings that wander as theirs do.

power_log.py FILE --bytes N [--form FORM] [--gpus N] [--seed N]
"""
import argparse
import datetime
import random

# Columns as real logs have them: a load test every 100 ms, the square waves of a study, all that a site asks for.
FORMS = {
    "five": ("power.draw [W]", "utilization.gpu [%]", "utilization.memory [%]", "memory.used [MiB]"),
    "eight": ("pstate", "power.draw [W]", "temperature.gpu", "utilization.gpu [%]", "utilization.memory [%]",
              "clocks.current.sm [MHz]", "memory.used [MiB]"),
    "bare": ("pstate", "power.draw [W]", "temperature.gpu", "utilization.gpu [%]", "utilization.memory [%]",
             "clocks.current.sm [MHz]", "memory.used [MiB]"),
    "wide": ("name", "pci.bus_id", "driver_version", "pstate", "pcie.link.gen.max", "pcie.link.gen.current",
             "utilization.gpu [%]", "utilization.memory [%]", "temperature.gpu", "temperature.memory",
             "power.draw.average [W]", "clocks.current.graphics [MHz]", "clocks.current.sm [MHz]",
             "clocks.current.video [MHz]", "clocks.current.memory [MHz]", "memory.total [MiB]", "memory.free [MiB]",
             "memory.used [MiB]", "power.draw.instant [W]", "pcie.link.gen.gpucurrent", "pcie.link.width.current")
    + tuple("ecc.errors.%s.%s.%s" % (kind, since, where) for kind in ("corrected", "uncorrected")
            for since in ("volatile", "aggregate") for where in ("device_memory", "dram", "sram", "total")),
}
WITH_UNITS = ("five", "eight")
TITLES = {"five": "5 columns with units", "eight": "8 columns with units", "bare": "8 columns", "wide": "39 columns"}
BEGIN = datetime.datetime(2026, 3, 31, 10, 31, 2)
TOTAL_MIB = 81559
BLOCK = 1 << 16  # rows made at a time; the readings come round after as many


def readings(rng, n):
    """A GPU that idles, takes up work of some kind, and rests again."""
    idle, watt, left, busy, used = 20.0 + 50.0 * rng.random(), 0.0, 0, 0.0, 612
    temp = 30.0
    for _ in range(n):
        if left == 0:
            left = rng.randrange(5, 400)
            busy = rng.choice((0.0, 0.0, 0.35, 0.8, 1.0))
            used = 612 if busy == 0.0 else rng.randrange(2000, 79000)
        left -= 1
        aim = idle + busy * 330.0
        watt = max(8.0, aim + 0.6 * (watt - aim) + rng.gauss(0.0, 0.15 + 6.0 * busy))
        temp += 0.01 * (28.0 + 45.0 * busy - temp)
        gpu = 0 if busy == 0.0 else min(100, max(1, round(100.0 * busy + rng.gauss(0.0, 4.0))))
        yield {
            "power.draw [W]": "%.2f" % watt, "power.draw.average [W]": "%.2f" % (0.5 * (watt + aim)),
            "power.draw.instant [W]": "%.2f" % max(8.0, watt + rng.gauss(0.0, 0.2)),
            "utilization.gpu [%]": gpu, "utilization.memory [%]": gpu * 6 // 10,
            "temperature.gpu": round(temp), "temperature.memory": round(temp) + 9,
            "memory.used [MiB]": used, "memory.free [MiB]": TOTAL_MIB - 552 - used, "memory.total [MiB]": TOTAL_MIB,
            "clocks.current.sm [MHz]": 345 if busy == 0.0 else 1410 + 15 * rng.randrange(38),
            "clocks.current.graphics [MHz]": 345 if busy == 0.0 else 1980,
            "clocks.current.video [MHz]": 765, "clocks.current.memory [MHz]": 2619, "pstate": "P0",
            "name": "NVIDIA H100 80GB HBM3", "driver_version": "535.161.07", "pcie.link.gen.max": 5,
            "pcie.link.gen.current": 5, "pcie.link.gen.gpucurrent": 5, "pcie.link.width.current": 16,
        }


def row_ends(rng, form, gpus):
    """What stands behind the time in each of BLOCK rows, the GPUs in turn."""
    columns = FORMS[form]
    each = [readings(rng, BLOCK // gpus) for _ in range(gpus)]
    ends = []
    for _ in range(BLOCK // gpus):
        for g in range(gpus):
            values = next(each[g])
            values["pci.bus_id"] = "00000000:%02X:00.0" % (10 + 7 * g)
            cells = [str(g)] if gpus > 1 or form == "wide" else []
            for name in columns:
                unit = " " + name[name.index("[") + 1:-1] if form in WITH_UNITS and "[" in name else ""
                cells.append("%s%s" % (values.get(name, 0), unit))
            ends.append(", " + ", ".join(cells) + "\n")
    return ends


def write(path, form, gpus, size, seed=1):
    """A sweep over the GPUs every 20 ms, each stamped some 2 ms behind its neighbour. About `size` bytes."""
    rng = random.Random(seed)
    ends = row_ends(rng, form, gpus)
    header = "timestamp, " + ("index, " if gpus > 1 or form == "wide" else "") + ", ".join(FORMS[form]) + "\n"
    thousandths = [".%03d" % ms for ms in range(1000)]
    second, n = "", 0
    with open(path, "w", encoding="ascii", newline="") as f:
        written = f.write(header)
        at, ms, sweep = BEGIN, 1000, 0
        while written < size:
            block = []
            for i, end in enumerate(ends):
                g = i % gpus
                if g == 0:
                    sweep += 20 + (i % 7 == 0)
                    while sweep >= 1000:
                        sweep -= 1000
                        n += 1
                        second = (at + datetime.timedelta(seconds=n)).strftime("%Y/%m/%d %H:%M:%S")
                    if second == "":
                        second = at.strftime("%Y/%m/%d %H:%M:%S")
                ms = sweep + 2 * g
                block.append(second + thousandths[ms if ms < 1000 else 999] + end)
            written += f.write("".join(block))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("file")
    p.add_argument("--bytes", type=int, required=True)
    p.add_argument("--form", choices=FORMS, default="five")
    p.add_argument("--gpus", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    write(o.file, o.form, o.gpus, o.bytes, o.seed)


if __name__ == "__main__":
    main()
