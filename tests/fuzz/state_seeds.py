#!/usr/bin/env python3
"""Writes tests/fuzz/corpus/state anew: to be run whenever the layout of states changes.

    state_seeds.py PROGRAM

Two shards of a tiny run for each command that leaves states, of a run that calls no event TotalRender too, and of a split
whose shards read their parts alone. A seed is two state files without what the fuzz target adds: magic, version, layout
and checksum.
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "tests/fuzz/corpus/state"
SCISSORS = b"\n--8<--\n"


def shrink(source, target, hosts, most, rename=None):
    """The first rows of each of these hosts."""
    seen = {}
    with open(source, newline="") as f, open(target, "w", newline="") as g:
        rows = csv.reader(f)
        writer = csv.writer(g)
        header = next(rows)
        writer.writerow(header)
        host = header.index("hostname") if "hostname" in header else None
        for row in rows:
            key = row[host] if host is not None else ""
            if host is not None and key not in hosts:
                continue
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= most:
                writer.writerow([rename.get(c, c) if rename else c for c in row])


def text_at(data, at):
    """Where the text behind a count of one byte ends, and the text."""
    n = data[at] - 1
    return at + 1 + n, data[at + 1:at + 1 + n]


def body(path):
    data = path.read_bytes()[:-32]
    at, _ = text_at(data, 16)  # behind the version
    command_end, _ = text_at(data, at)
    layout_end, layout = text_at(data, command_end)
    assert len(layout) == 16, layout
    return data[at:command_end] + data[layout_end:]


def seed(program, run, name, question, shards=2):
    with tempfile.TemporaryDirectory() as folder:
        bodies = []
        for i in range(1, shards + 1):
            path = pathlib.Path(folder) / f"{i}.state"
            subprocess.run([program, *question, run, "-q", "--shard", f"{i}/{shards}", "--partial", path], check=True)
            bodies.append(body(path))
        (OUT / name).write_bytes(SCISSORS.join(bodies))


def coarse(command):
    """Seeds are small."""
    return ["--every", "10min"] if command == "timeline" else []


def main():
    program = os.path.abspath(sys.argv[1])
    for old in OUT.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open(ROOT / "data/gpu.csv", newline="") as f:
            hosts = sorted({row["hostname"] for row in csv.DictReader(f)})[:3]
        for run, rename in (("run", None), ("jobs", {"TotalRender": "Job"})):
            os.mkdir(run)
            shrink(ROOT / "data/application-checkpoints.csv", f"{run}/application-checkpoints.csv", hosts, 16, rename)
            shrink(ROOT / "data/gpu.csv", f"{run}/gpu.csv", hosts, 12)
            shrink(ROOT / "data/task-x-y.csv", f"{run}/task-x-y.csv", hosts, 12)
        subprocess.run([program, "split", "jobs", "-o", "parts", "--parts", "2", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        commands = subprocess.run([program, "commands"], check=True, capture_output=True, text=True).stdout
        for line in commands.splitlines():
            command = line.split("\t")[0]
            told = subprocess.run([program, "help", command], check=True, capture_output=True, text=True).stdout
            if " --partial" in told and command != "merge":
                seed(program, "run", command, [command, *coarse(command)])
        seed(program, "run", "events-join-window", ["events", "--join", "window"])
        seed(program, "run", "events-by-event-level", ["events", "--by", "event,level"])
        for command in ("gpus", "schedule", "timeline"):
            seed(program, "jobs", f"{command}-task-found", [command, *coarse(command)])
            seed(program, "parts", f"{command}-of-parts", [command, *coarse(command)])


if __name__ == "__main__":
    main()
