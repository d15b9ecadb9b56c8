#!/usr/bin/env python3
"""How many operations that a forest never saw lie inside its 95 % intervals.

  forest_interval.py PROGRAM FILE...

A fifth of the different operations of each file is taken out, the forest learns from the rest and predicts them. Asks for
87 % of time, power and energy at least: with some 100 operations that is three deviations below 95.
"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile


def write(path, columns, rows):
    with open(path, "w", newline="") as f:
        w = csv.DictWriter(f, columns)
        w.writeheader()
        w.writerows(rows)


def plain(row):
    return row["op"].replace(" ", ""), row["input_size"].replace(" ", "")


def shares(program, path, seed):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    keys = sorted({plain(r) for r in rows})
    unseen = set(random.Random(seed).sample(keys, len(keys) // 5))
    with tempfile.TemporaryDirectory() as d:
        learn, test, model = (os.path.join(d, n) for n in ("learn.csv", "test.csv", "model.json"))
        write(learn, list(rows[0]), [r for r in rows if plain(r) not in unseen])
        write(test, list(rows[0]), [r for r in rows if plain(r) in unseen])
        subprocess.run([program, "forest", "train", learn, "-m", model, "-q"], check=True, stdout=subprocess.DEVNULL)
        said = subprocess.run([program, "forest", "predict", test, "-m", model, "-q", "-f", "csv"], check=True,
                              capture_output=True, text=True).stdout
    predicted = {plain(r): r for r in csv.DictReader(io.StringIO(said.split("\n\n")[0]))}
    inside, n = [0, 0, 0], 0
    for r in rows:
        p = predicted.get(plain(r)) if plain(r) in unseen else None
        if p is None or not p["time_low_s"]:
            continue
        time, power = float(r["time_s"]), float(r["power_mean_W"])
        n += 1
        for i, (v, low, high) in enumerate(((time, "time_low_s", "time_high_s"), (power, "power_low_w", "power_high_w"),
                                            (time * power, "energy_low_j", "energy_high_j"))):
            inside[i] += float(p[low]) <= v <= float(p[high])
    return [v / n for v in inside], n


def main():
    bad = 0
    for path in sys.argv[2:]:
        found, n = shares(sys.argv[1], path, 1)
        bad += min(found) < 0.87
        print("%s: %d operations not seen, inside: time %.3f, power %.3f, energy %.3f" % ((os.path.basename(path), n, *found)))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
