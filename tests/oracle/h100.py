#!/usr/bin/env python3
"""Holds the energies of events to the counter of the GPU that was logged.

  h100.py PROGRAM

h100/ is an H100 over three minutes: its power as nvidia-smi shows it (a mean over a second) and as an instant reading, its
energy counter, read every 0.1 s, and the events that were run, 16 loads of 0.5 to 4 s and 112 bursts of 0.25 to 0.6 s in five
trains, with idle and with busy rests. The log is thinned to what users have, a poll every 0.1, 0.5 and 1 s from several
beginnings on. Each event's interval must hold what the counter says of it; of single loads, whose polls may all fall badly,
one in ten may miss.
"""
import bisect
import csv
import datetime
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(here, ".."))
from tally import check, end  # noqa: E402

COLUMNS = ("power.draw [W]", "power.draw.instant [W]")


def seconds(text):
    return datetime.datetime.strptime(text + " +0000", "%Y/%m/%d %H:%M:%S.%f %z").timestamp()


class Counter:
    """Joules up to an instant: straight lines between the counter's changes."""

    def __init__(self, rows):
        self.t, self.e = [], []
        for row in rows:
            e = int(row["energy counter [mJ]"]) / 1000
            if not self.e or e != self.e[-1]:
                self.t.append(seconds(row["timestamp"]))
                self.e.append(e)

    def until(self, t):
        i = bisect.bisect(self.t, t)
        share = (t - self.t[i - 1]) / (self.t[i] - self.t[i - 1])
        return self.e[i - 1] + share * (self.e[i] - self.e[i - 1])

    def of(self, event):
        return self.until(float(event["stop"])) - self.until(float(event["start"]))


def energies(program, log, events):
    out = subprocess.run(
        [program, "events", log, events, "-q", "-f", "csv", "--show", "event,energy_sum_j,energy_low_j,energy_high_j"],
        capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(out.splitlines()))


def main(program):
    with open(os.path.join(here, "h100", "samples.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f, skipinitialspace=True))
    events_file = os.path.join(here, "h100", "events.csv")
    with open(events_file, encoding="utf-8") as f:
        events = list(csv.DictReader(f))
    counter = Counter(rows)
    true = {}
    for event in events:
        true[event["name"]] = true.get(event["name"], 0) + counter.of(event)
    missed = held = 0
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "gpu.csv")
        for column in COLUMNS:
            for step in (1, 5, 10):
                for first in range(0, step, max(1, step // 3)):
                    with open(log, "w", encoding="utf-8") as f:
                        print("timestamp, name, %s" % column, file=f)
                        for row in rows[first::step]:
                            print("%s, NVIDIA H100 80GB HBM3, %s" % (row["timestamp"], row[column]), file=f)
                    for row in energies(program, log, events_file):
                        name, joules = row["event"], true[row["event"]]
                        if row["energy_low_j"] == "":
                            continue
                        inside = float(row["energy_low_j"]) <= joules <= float(row["energy_high_j"])
                        held += inside
                        missed += not inside
                        if name.startswith("train_") and column == "power.draw [W]" and step < 10:
                            check("%s every %g s: %s" % (column, step / 10, name), inside,
                                  "%s of %.0f J" % (dict(row), joules))
    check("intervals that hold the counter", held >= 9 * missed and held > 60, "%d held, %d missed" % (held, missed))
    return end()


sys.exit(main(sys.argv[1]))
