#!/usr/bin/env python3
"""What every command does where the machine fails it.

  torture.py BUILD [--sample N] [--only WORD]

Every command runs over small data under shim.so, and at each of its allocations and calls of the system something
goes wrong: that one fails, it and all later ones fail, it reads or writes by half, a signal arrives, an input is
overwritten. Then files that gpustat wrote itself are damaged and read. A failure is
  - a crash, or no end within 60 s
  - exit status 0 with other bytes than the undisturbed run
  - an exit status that does not name the fault: 71 for memory, 66, 69, 71, 73, 74 or 75 for the system
  - temporary files that are left, an output that is neither whole nor as it was, an input that changed
Nothing is random, so a failure can be repeated: each is printed with its fault. --sample N tries about N faults of
each command and kind, spread evenly; without it all are tried. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import csv
import hashlib
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "data")
SYSTEM = {66, 69, 71, 73, 74, 75}
ENDINGS = [signal.SIGTERM, signal.SIGINT, signal.SIGPIPE]

# A command line is run in a folder with the inputs as in/; what it writes goes to out/. NAME: a name for messages.
STUDY = "events zoom gpus correlate summary join check bias balance jobs timeline schedule tiles clusters stragglers"
COMMANDS = [f"{name} in/run -j 1 -f csv" for name in STUDY.split()] + [
    "events in/run -j 3 -f json -o out/events.json",
    "events in/packed -j 2 -f csv --join window --by event,host -o out/e.csv",
    "events in/own -j 1 -f csv --rejects out/bad.csv",
    "events in/torn -j 1 -f csv --rejects out/bad.csv -o out/e.csv",
    "gpus in/run -j 1 --max-memory 17M -f tsv",
    "timeline in/run -j 1 --max-memory 24M -f csv",
    "events in/run -j 1 --shard 2/3 --partial out/2.state",
    "balance in/run -j 1 --part 1/2 --partial out/1.state",
    "merge in/1.state in/2.state in/3.state -f csv",
    "merge in/1.state in/2.state in/3.state -f jsonl -o out/m.jsonl",
    "split in/run -o out/parts --parts 2",
    "events in/parts -j 1 -f csv",
    "events in/parts -j 1 -f csv --shard 1/2",
    "diff in/run in/own -j 1 -f csv",
    "map in/run",
    "map in/own -o out/map.json",
    "events --map in/map.json -j 1 -f csv",
    "report in/own -j 1 -o out/page",
    "events in/run -j 1 -f csv --plot out/events.svg -o out/e.csv",
    "power in/power.csv -j 1 -f csv",
    "power in/power.csv -j 1 -f csv --max-memory 24M",
    "power in/power.csv -j 1 -f csv --windows in/windows.csv",
    "proportionality in/iterations.csv -f csv",
    "validate in/validate.csv -f csv",
    "sweep in/sweep.csv -f csv",
    "crosstalk in/crosstalk.csv -f csv",
    "forest train in/operations.csv --model out/model.json -f csv",
    "forest predict in/operations.csv --model in/model.json -f csv",
    "forest evaluate in/operations.csv -f csv",
    "slurm --shards 2 --folder out/F --keep -- events in/run -f csv",
    "help events",
    "in/run",
]
# Once more over an output that is there already, which must be the old one or the new one.
OVER = ["events in/run -j 1 -f csv -o out/e.csv", "report in/own -j 1 -o out/page",
        "forest train in/operations.csv --model out/model.json"]


def small(source, target, keep):
    """The header and the rows that `keep` wants."""
    with open(source, newline="") as f, open(target, "w", newline="") as g:
        rows = csv.reader(f)
        out = csv.writer(g, lineterminator="\n")
        header = next(rows)
        out.writerow(header)
        for row in rows:
            if keep(dict(zip(header, row))):
                out.writerow(row)


def head(source, target, n):
    with open(source) as f, open(target, "w") as g:
        g.writelines(line for _, line in zip(range(n), f))


class Torture:
    def __init__(self, build, scratch):
        self.program = os.path.abspath(os.path.join(build, "gpustat"))
        self.shim = os.path.abspath(os.path.join(build, "tests", "torture", "shim.so"))
        self.scratch = scratch
        self.inputs = os.path.join(scratch, "in")
        self.passed = self.failures = 0
        self.tools = os.path.join(scratch, "tools")

    def prepare(self):
        """Small inputs of every kind, those that gpustat makes itself among them."""
        run, at = os.path.join(self.inputs, "run"), lambda *name: os.path.join(self.inputs, *name)
        os.makedirs(run)
        with open(os.path.join(DATA, "gpu.csv"), newline="") as f:
            hosts = sorted({row["hostname"] for row in csv.DictReader(f)})[:3]
        jobs = set()

        def of_hosts(row):
            if row["hostname"] in hosts:
                jobs.add(row.get("taskId"))
            return row["hostname"] in hosts

        for name in ("gpu.csv", "application-checkpoints.csv"):
            small(os.path.join(DATA, name), os.path.join(run, name), of_hosts)
        small(os.path.join(DATA, "task-x-y.csv"), os.path.join(run, "task-x-y.csv"), lambda row: row["taskId"] in jobs)
        os.makedirs(at("own"))
        shutil.copy(os.path.join(DATA, "own", "steps.csv"), at("own"))
        head(os.path.join(DATA, "own", "nvidia-smi.csv"), at("own", "nvidia-smi.csv"), 400)
        shutil.copytree(at("own"), at("torn"))
        with open(at("torn", "nvidia-smi.csv"), "a") as f:
            f.write("2024/10/10 13:18:59.000, 0, much W\n")
        os.makedirs(at("packed"))
        for name, pack in (("gpu.csv", "gzip"), ("application-checkpoints.csv", "zstd"), ("task-x-y.csv", "xz")):
            with open(os.path.join(run, name), "rb") as f:
                data = f.read()
            if pack == "xz":
                data, end = lzma.compress(data), ".xz"
            else:
                data = subprocess.run([pack, "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
                end = ".gz" if pack == "gzip" else ".zst"
            with open(at("packed", name + end), "wb") as f:
                f.write(data)
        head(os.path.join(DATA, "power-log.csv"), at("power.csv"), 200)
        head(os.path.join(DATA, "operations.csv"), at("operations.csv"), 25)
        for name in ("iterations", "sweep", "crosstalk"):
            shutil.copy(os.path.join(DATA, name + ".csv"), at(name + ".csv"))
        shutil.copy(os.path.join(DATA, "operations-validate.csv"), at("validate.csv"))
        shutil.copy(os.path.join(DATA, "power-windows.csv"), at("windows.csv"))
        # A stand-in for Slurm that does each job at once.
        os.makedirs(self.tools)
        for name, text in (("sbatch", 'for a in "$@"; do case $a in --array=*) n=${a#*=}; n=${n#*-};; --*);; *) s=$a;; esac; done\n'
                            'echo 7\nfor i in $(seq ${n:-1}); do SLURM_ARRAY_TASK_ID=$i sh "$s" >&2; done\n'),
                           ("squeue", ""), ("scancel", ""), ("scontrol", "echo 'MaxArraySize = 1001'\n")):
            path = os.path.join(self.tools, name)
            with open(path, "w") as f:
                f.write("#!/bin/sh\n" + text)
            os.chmod(path, 0o755)
        for line in ["events in/run -q --shard %d/3 --partial in/%d.state" % (i, i) for i in (1, 2, 3)] + [
                "split in/run -o in/parts --parts 2 -q", "map in/run -o in/map.json",
                "forest train in/operations.csv --model in/model.json -q"]:
            r = self.gpustat(line.split(), self.scratch)
            if r[0] != 0:
                sys.exit(f"torture: {line}: {r[0]}: {r[2].decode()}")
        # The same runs again with other numbers in rows of the same length.
        for path in ("run/gpu.csv", "own/nvidia-smi.csv", "1.state", "operations.csv"):
            with open(at(path), "rb") as f:
                data = f.read()
            with open(at(path + ".other"), "wb") as f:
                f.write(data[:200] + data[200:].translate(bytes.maketrans(b"3", b"4")))

    def environment(self, folder, more):
        env = {"PATH": os.path.dirname(self.program) + ":" + self.tools + ":" + os.environ["PATH"], "TZ": "UTC",
               "LC_ALL": "C", "HOME": folder, "PAGER": "cat", "TMPDIR": os.path.join(folder, "tmp"),
               "GPUSTAT_VERBOSE": "yes"}
        env.update(more)
        return env

    def gpustat(self, words, folder, more=None):
        """Exit status (negative: the signal), standard output, standard error."""
        try:
            r = subprocess.run([self.program] + words, cwd=folder, env=self.environment(folder, more or {}),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                               check=False)
        except subprocess.TimeoutExpired:
            return -1000, b"", b""
        return r.returncode, r.stdout, r.stderr

    @staticmethod
    def tree(top):
        """Names below a folder, hidden ones too, each with a digest of what the file holds."""
        found = {}
        for folder, _, files in os.walk(top):
            found[os.path.relpath(folder, top) + "/"] = ""
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, top)] = hashlib.sha256(f.read()).hexdigest()
        return found

    def folder(self, name, old):
        """A fresh folder with in/ (a link), out/ and tmp/."""
        folder = os.path.join(self.scratch, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "tmp"))
        if old is not None:
            shutil.copytree(old, os.path.join(folder, "out"))
        else:
            os.makedirs(os.path.join(folder, "out"))
        os.symlink(self.inputs, os.path.join(folder, "in"))
        return folder

    def result(self, words, name, old, torture=None):
        folder = self.folder(name, old)
        log = os.path.join(self.scratch, name + ".log")
        more = {} if torture is None else {"TORTURE": torture, "TORTURE_LOG": log, "LD_PRELOAD": self.shim}
        code, out, err = self.gpustat(words, folder, more)
        return {"code": code, "out": out, "err": err, "files": self.tree(os.path.join(folder, "out")),
                "temp": os.listdir(os.path.join(folder, "tmp")), "log": log}

    def judge(self, words, old, good, got, kind, action):
        """What is wrong, or None."""
        code = got["code"]
        before = self.tree(old) if old is not None else {"./": ""}
        if code == -1000:
            return "no end within 60 s"
        if action.startswith("signal-"):
            if code != -int(action[7:]) and code != good["code"]:
                return f"exit status {code} after a signal"
        elif code < 0 or code >= 126:
            return f"crash: {code}"
        if got["temp"]:
            return f"left {got['temp']}"
        if code == good["code"]:
            if got["out"] != good["out"]:
                return f"exit status {code} with other bytes on standard output"
            if got["files"] != good["files"]:
                # The scripts of slurm name the folder that they lie in.
                changed = {k for k in got["files"].keys() | good["files"].keys() if got["files"].get(k) != good["files"].get(k)}
                changed -= {"F/shard.sh", "F/merge.sh"}
                return f"exit status {code} with other files: {sorted(changed)[:4]}" if changed else None
            return None
        if action == "short":
            return f"exit status {code} where half was read or written"
        # Whether it was the bound that refused an allocation, or the system, cannot be told.
        if kind == "mem" and code > 0 and code != 71 and not (code == 2 and "--max-memory" in words):
            return f"exit status {code} without memory"
        if kind == "sys" and code > 0 and code not in SYSTEM:
            return f"exit status {code} for a failing call"
        if code > 0 and not got["err"].strip():
            return "failed without a word"
        if not good["out"].startswith(got["out"]):
            return "half of another answer on standard output"
        if words[0] in ("slurm", "split"):  # what is there is kept, so that it can go on
            return None
        # Each file is whole, or as it was; nothing else is there.
        for name, digest in got["files"].items():
            # A folder is not emptied where no descriptor can be had to list it.
            unlisted = name.startswith(".gpustat-") and words[0] == "report" and (kind, action) == ("sys", "on")
            if digest not in (good["files"].get(name), before.get(name)) and not unlisted:
                return f"left {name}" if name not in good["files"] else f"{name} is neither whole nor as it was"
        for name in before:
            if name not in got["files"] and name in good["files"]:
                return f"{name} is gone"
        return None

    def faults(self, good, counts, sample):
        """(kind, n, action): all, or a sample spread evenly."""
        for kind, actions in (("mem", ["once", "on"]), ("sys", ["once", "on", "short"] + [f"signal-{int(s)}" for s in ENDINGS])):
            n = counts[kind]
            for k, action in enumerate(actions):
                share = sample if sample == 0 or action in ("once", "on") else max(1, sample // 3)
                step = 1 if share == 0 else max(1, n / share)
                at = 1 + (k / len(actions)) * (step - 1)
                while at <= n:
                    yield kind, int(at), action
                    at += step

    def command(self, line, old, sample, pool, slot):
        """One command under all its faults."""
        words = line.split()
        good = self.result(words, f"good{slot}", old)
        counted = self.result(words, f"count{slot}", old, "mem 0 none")
        if good["code"] not in (0, 1) or counted["code"] != good["code"]:
            self.fail(f"{line}: undisturbed: exit status {good['code']}: {good['err'].decode()[:300]}")
            return
        with open(counted["log"]) as f:
            numbers = f.read().split()
        counts = {"mem": int(numbers[1]), "sys": int(numbers[3])}

        def one(fault):
            kind, n, action = fault
            name = f"w{slot}-{kind}{n}{action}"
            got = self.result(words, name, old, f"{kind} {n} {action}")
            wrong = self.judge(words, old, good, got, kind, action)
            hit = ""
            if wrong:
                if os.path.exists(got["log"]):
                    with open(got["log"]) as f:
                        hit = f.read().split()[-1]
                wrong = f"{line}: TORTURE='{kind} {n} {action}' {hit}: {wrong}: {got['err'].decode(errors='replace').strip()[-160:]}"
            shutil.rmtree(os.path.join(self.scratch, name), ignore_errors=True)
            if os.path.exists(got["log"]):
                os.remove(got["log"])
            return wrong

        before = self.tree(self.inputs) if not line.startswith("slurm") else None
        for wrong in pool.map(one, self.faults(good, counts, sample)):
            self.note(wrong)
        if before is not None and self.tree(self.inputs) != before:
            self.fail(f"{line}: inputs changed")
        sys.stderr.write(f"{line}: {counts['mem']} allocations, {counts['sys']} calls\n")

    def note(self, wrong):
        if wrong:
            self.fail(wrong)
        else:
            self.passed += 1

    def fail(self, wrong):
        self.failures += 1
        print(" ".join(wrong.split()), flush=True)

    def changing(self, line, file, sample):
        """An input is overwritten in place at each call: the old answer, the new one, or an error."""
        words = line.split()
        path = os.path.join(self.inputs, file)
        with open(path, "rb") as f:
            bytes_before = f.read()
        with open(path + ".other", "rb") as f:
            bytes_after = f.read()
        good = self.result(words, "change", None, "mem 0 none")
        with open(good["log"]) as f:
            n = int(f.read().split()[3])
        with open(path, "wb") as f:
            f.write(bytes_after)
        other = self.result(words, "change", None)
        step = max(1, n // sample) if sample else 1
        for at in range(1, n + 1, step):
            with open(path, "r+b") as f:
                f.write(bytes_before)
            got = self.result(words, "change", None, f"sys {at} change {path}")
            answers = [(r["code"], r["out"], r["files"]) for r in (good, other)]
            wrong = None
            if got["code"] <= 1 and (got["code"], got["out"], got["files"]) not in answers:
                wrong = f"exit status {got['code']} with a mixture of two files"
            elif got["code"] < 0 or got["temp"]:
                wrong = f"exit status {got['code']}, left {got['temp']}"
            self.note(wrong and f"{line}: TORTURE='sys {at} change {file}': {wrong}")
        with open(path, "r+b") as f:
            f.write(bytes_before)

    def damaged(self, line, file, sealed, sample, pool):
        """A byte of a file that gpustat wrote is another, or its end is gone. sealed: every change must be found."""
        words = line.split()
        good = self.result(words, "whole", None)
        with open(os.path.join(self.inputs, file), "rb") as f:
            data = f.read()
        step = max(1, len(data) // sample) if sample else max(1, len(data) // 3000)

        def one(at):
            name = f"damaged{at}"
            folder = self.folder(name, None)
            os.remove(os.path.join(folder, "in"))
            top = os.path.join(folder, "in")
            shutil.copytree(self.inputs, top)
            changed = (bytes([data[at] ^ (1 << at % 7)]), b"", b"\0")[at % 3]
            with open(os.path.join(top, file), "wb") as f:
                f.write(data[:at] + changed + (data[at + 1:] if at % 5 else b""))
            code, out, _ = self.gpustat(words, folder)
            left = os.listdir(os.path.join(folder, "tmp"))
            shutil.rmtree(folder)
            if code < 0 or code >= 126 or left:
                return f"{line}: {file} damaged at byte {at}: exit status {code}, left {left}"
            if code not in ((65, 66) if sealed else (0, 1, 2, 64, 65, 66)) and (code, out) != (good["code"], good["out"]):
                return f"{line}: {file} damaged at byte {at}: exit status {code} with other bytes"
            return None

        for wrong in pool.map(one, range(0, len(data), step)):
            self.note(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        t = Torture(o.build, scratch)
        t.prepare()
        names = subprocess.run([t.program, "commands"], stdout=subprocess.PIPE, check=True).stdout.decode()
        missing = {line.split("\t")[0] for line in names.splitlines()} - {line.split()[0] for line in COMMANDS}
        for name in sorted(missing):
            t.fail(f"no line for the command {name}")
        for slot, line in enumerate(COMMANDS):
            if o.only in line:
                t.command(line, None, o.sample, pool, slot)
        for slot, line in enumerate(OVER):
            if o.only in "over " + line:
                first = t.folder(f"old{slot}", None)
                t.gpustat(line.replace("in/own", "in/packed").replace("in/run", "in/packed").split(), first)
                t.command(line, os.path.join(first, "out"), o.sample, pool, 100 + slot)
        for line, file in (("events in/run -j 1 -f csv", "run/gpu.csv"), ("gpus in/run -j 2 -f csv", "run/gpu.csv"),
                           ("events in/own -j 1 -f csv", "own/nvidia-smi.csv"),
                           ("forest train in/operations.csv --model out/m.json", "operations.csv")):
            if o.only in "change " + line:
                t.changing(line, file, o.sample)
        for line, file, sealed in (("merge in/1.state in/2.state in/3.state -f csv", "2.state", True),
                                   ("forest predict in/operations.csv --model in/model.json -f csv", "model.json", True),
                                   ("events in/parts -f csv", "parts/split.json", False),
                                   ("events in/parts -f csv", "parts/gpu-0001.csv.zst", True),
                                   ("events --map in/map.json -f csv", "map.json", False)):
            if o.only in "damaged " + line:
                t.damaged(line, file, sealed, o.sample, pool)
    print(f"{t.passed} passed, {t.failures} failed")
    return 1 if t.failures else 0


if __name__ == "__main__":
    sys.exit(main())
