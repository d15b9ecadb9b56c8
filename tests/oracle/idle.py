"""idle.py PROGRAM - which time of a GPU is idle, by its power alone: logs of known states, and one answer by every door.

The states of each log are what an analyst would call them. A board idles with and without an open context (60 and 90 W
beside 330 W under load), a load has levels, ramps, noise and pauses. `power`, its phases and `balance` have the
same seconds and joules, `jobs`, whose clock is the events', the same seconds but for a poll.
"""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

IDLE, LOAD, UNKNOWN = "idle", "load", "unknown"
gauss = random.Random(22).gauss


def states(*parts):
    """(watts, sd, seconds, state) one after the other."""
    return [(max(0.0, gauss(w, sd)), state) for w, sd, n, state in parts for _ in range(n)]


def ramp(low, high, n, state):
    return [(low + (high - low) * i / n, state) for i in range(n)]


SHAPES = {
    "two states": states((60, 1, 100, IDLE), (300, 5, 200, LOAD), (60, 1, 100, IDLE)),
    "open context": states((60, 1, 100, IDLE), (90, 1, 100, IDLE), (330, 3, 100, LOAD)),
    "context of a small board": states((20, 0.5, 60, IDLE), (60, 1, 80, IDLE), (350, 8, 200, LOAD), (60, 1, 30, IDLE)),
    "levels of load": states((60, 1, 100, IDLE), (200, 2, 100, LOAD), (330, 3, 100, LOAD)),
    "four levels": states((50, 1, 90, IDLE), (180, 4, 90, LOAD), (260, 4, 90, LOAD), (400, 5, 90, LOAD)),
    "ramps": [*states((60, 0.5, 60, IDLE)), *ramp(60, 330, 12, LOAD), *states((330, 2, 100, LOAD)),
              *ramp(330, 60, 12, LOAD), *states((60, 0.5, 60, IDLE))],
    "cooling down": [(62 + 15 * math.exp(-i / 60), IDLE) for i in range(240)] + states((300, 8, 240, LOAD)),
    "checkpoints in noisy training": states(*[(350, 40, 190, LOAD), (110, 5, 10, IDLE)] * 4),
    "bursts": states(*[(60, 1, 19, IDLE), (300, 8, 1, LOAD)] * 25),
    "light inference": states(*[(70, 1, 8, IDLE), (160, 10, 2, LOAD)] * 50),
    "idle for 2 % of the time": states((330, 40, 490, LOAD), (60, 1, 10, IDLE)),
    "steady load": states((300, 12, 400, UNKNOWN)),
    "steady idle": states((60, 3, 400, UNKNOWN)),
    "two loads": states(*[(200, 3, 40, UNKNOWN), (300, 3, 40, UNKNOWN)] * 4),
    "swinging load": [(325 + 75 * math.sin(1.3 * i) + gauss(0, 10), UNKNOWN) for i in range(400)],
    "a glitch": [*states((100, 2, 200, UNKNOWN)), (612.0, UNKNOWN), *states((100, 2, 200, UNKNOWN))],
}


def stamp(s):
    return "2024-05-01T12:%02d:%02d" % (s // 60, s % 60)


def rows(program, *words):
    done = subprocess.run([program, *words, "-q", "-f", "csv"], capture_output=True, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def number(text):
    return float(text) if text else math.nan


def same(a, b, within=1e-6):
    return abs(a - b) <= within or (math.isnan(a) and math.isnan(b))


def check(program, name, shape, folder):
    """The faults of one log, polled each second."""
    log, jobs = os.path.join(folder, "smi.csv"), os.path.join(folder, "jobs.csv")
    with open(log, "w", encoding="ascii") as f:
        f.write("timestamp,hostname,index,power.draw [W]\n")
        f.writelines("%sZ,n1,0,%.2f\n" % (stamp(i), w) for i, (w, _) in enumerate(shape))
    power, phases, balance = rows(program, "power", log)[0], rows(program, "power", log, "--phases"), rows(program, "balance", log)
    with open(jobs, "w", encoding="ascii") as f:
        f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n1|u|COMPLETED|%s|%s|n1|gres/gpu=1\n"
                % (stamp(0), stamp(len(shape) - 1)))
    job = rows(program, "jobs", folder, "--tz", "UTC")[0]
    os.remove(jobs)
    os.remove(log)
    idle = [r for r in balance if r["part"] == "without load"]
    got, known = number(power["idle_s"]), any(r["state"] in ("active", "idle") for r in balance)
    doors = {
        "phases": sum(float(p["duration_s"]) for p in phases if p["state"] == "idle") if phases else math.nan,
        "balance": sum(float(r["time_s"]) for r in idle) if known else math.nan,
        "jobs": number(job["idle_pct"]) / 100 * (len(shape) - 1),
    }
    faults = ["%s: %.6g s are idle by %s, %.6g by power" % (name, s, door, got) for door, s in doors.items()
              if not same(s, got, 1 if door == "jobs" else 1e-6)]
    if idle and not same(number(idle[0]["energy_j"]), number(power["idle_j"])):
        faults.append("%s: idle energy of balance %s, of power %s" % (name, idle[0]["energy_j"], power["idle_j"]))
    true = sum(1 for _, state in shape if state == IDLE)
    if shape[0][1] == UNKNOWN:
        if not math.isnan(got):
            faults.append("%s: %.6g s are idle, where the power is steady" % (name, got))
    elif not abs(got - true) <= 0.03 * len(shape):
        faults.append("%s: %.6g s are idle, truly %d" % (name, got, true))
    return faults


def main(program):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in SHAPES.items():
            faults += check(program, name, shape, folder)
    print("\n".join(faults) or "%d logs: idle alike by every door" % len(SHAPES))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
