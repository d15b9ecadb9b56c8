"""The data that the benchmark reads: the real TeraScope set, simulated ones of any size, and shuffled copies."""
import glob
import hashlib
import os
import random
import subprocess
import sys

import power_log

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
FILES = ("application-checkpoints.csv", "gpu.csv", "task-x-y.csv")
SHUFFLE_SEED = 2018
LOG_BYTES = 100_000_000


class DataSet:
    def __init__(self, name, what, directory):
        self.name, self.what, self.directory = name, what, directory

    def paths(self, files=FILES):
        return [os.path.join(self.directory, f) for f in files]

    def size(self):
        return sum(os.path.getsize(p) for p in self.paths())

    def warm(self):
        """Reads every file once, so that all that follows finds it in the page cache."""
        for path in self.paths():
            with open(path, "rb", buffering=0) as f:
                block = bytearray(1 << 20)
                while f.readinto(block):
                    pass


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "gpustat-bench")


def built(directory, make):
    """`make` fills a directory beside this one, which takes its name once it is whole."""
    if not os.path.isdir(directory):
        os.makedirs(os.path.dirname(directory), exist_ok=True)
        part = "%s.%d" % (directory, os.getpid())
        make(part)
        os.rename(part, directory)
    return directory


def terascope(cache):
    """The real set (its gpu.csv is a reconstruction), or None where it is not here."""
    given = os.environ.get("TERASCOPE_DIR")
    packed = os.path.join(os.path.dirname(TREE), "shared", "data", "terascope")
    if not given and not os.path.exists(os.path.join(packed, "unpack.sh")):
        return None
    directory = given or built(os.path.join(cache, "data", "terascope"),
                               lambda part: subprocess.run(["sh", os.path.join(packed, "unpack.sh"), part], check=True))
    return DataSet("terascope", "the TeraScope set: real checkpoints and tasks, reconstructed samples", directory)


def simulated(cache, size):
    """A run `size` times as large as the real one, by scripts/simulate.py; kept until that script changes."""
    program = os.path.join(TREE, "scripts", "simulate.py")
    with open(program, "rb") as f:
        version = hashlib.sha256(f.read()).hexdigest()[:8]
    hosts, tasks = max(1, round(1024 * size)), max(1, round(65536 * size))

    def make(part):
        print("simulating %d hosts, %d tasks" % (hosts, tasks), file=sys.stderr)
        subprocess.run([sys.executable, program, "--hosts", str(hosts), "--tasks", str(tasks), "--out", part],
                       check=True, stderr=subprocess.DEVNULL)

    directory = os.path.join(cache, "data", "simulated-%d-%d-%s" % (hosts, tasks, version))
    return DataSet("simulated x%g" % size, "simulated: --hosts %d --tasks %d" % (hosts, tasks), built(directory, make))


def shuffled(cache, data):
    """The rows of every file in random order, always the same one. No field of these files holds a newline."""
    def make(part):
        os.makedirs(part)
        for source in data.paths():
            with open(source, "rb") as f:
                header, *rows = f.read().splitlines(keepends=True)
            random.Random(SHUFFLE_SEED).shuffle(rows)
            with open(os.path.join(part, os.path.basename(source)), "wb") as f:
                f.write(header)
                f.writelines(rows)

    directory = os.path.join(cache, "data", "shuffled-%d-%s" % (data.size(), os.path.basename(data.directory)))
    return DataSet(data.name + ", shuffled", data.what + "; rows shuffled with seed %d" % SHUFFLE_SEED,
                   built(directory, make))


def damaged(cache, data):
    """The same with a letter in the power of every 1,000th sample."""
    def make(part):
        os.makedirs(part)
        for source in data.paths():
            with open(source, "rb") as f, open(os.path.join(part, os.path.basename(source)), "wb") as out:
                header = f.readline()
                out.write(header)
                names = [name.strip(b"\"\r\n ") for name in header.split(b",")]
                power = names.index(b"powerDrawWatt") if b"powerDrawWatt" in names else None
                for i, row in enumerate(f):
                    if power is not None and i % 1000 == 999:
                        cells = row.split(b",")
                        cells[power] += b"x"
                        row = b",".join(cells)
                    out.write(row)

    directory = os.path.join(cache, "data", "damaged-%d-%s" % (data.size(), os.path.basename(data.directory)))
    return DataSet(data.name + ", damaged", data.what + "; one sample of 1,000 malformed", built(directory, make))


def power_logs(cache):
    """{title: path} of logs as nvidia-smi writes them, kept until the script that makes them changes."""
    with open(power_log.__file__, "rb") as f:
        version = hashlib.sha256(f.read()).hexdigest()[:8]
    logs = {"%s, %d GPU%s" % (power_log.TITLES[form], gpus, "s" if gpus > 1 else ""): (form, gpus)
            for form, gpus in (("five", 1), ("five", 8), ("eight", 8), ("bare", 1), ("bare", 8), ("wide", 8))}

    def make(part):
        os.makedirs(part)
        for form, gpus in logs.values():
            power_log.write(os.path.join(part, "%s-%d.csv" % (form, gpus)), form, gpus, LOG_BYTES)

    directory = built(os.path.join(cache, "data", "logs-%d-%s" % (LOG_BYTES, version)), make)
    return {title: os.path.join(directory, "%s-%d.csv" % log) for title, log in logs.items()}


def stale(cache):
    """Directories that an interrupted run left half made."""
    return [d for d in glob.glob(os.path.join(cache, "data", "*.[0-9]*")) if os.path.isdir(d)]
