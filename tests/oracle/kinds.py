"""kinds.py PROGRAM [SHARED] - the kind of run that the report reads real sets as; data/ alone where SHARED is not there.

Of the 29 sets that the rule was made with, these are refused, and so have no kind: sacct without starts, or as prose;
nextflow's trace with times for people; metrics of OpenTelemetry. A set of one scrape without a time is read with one.
Sets of PUBLIC are written here as public loggers write them.
"""
import glob
import os
import re
import subprocess
import sys
import tarfile
import tempfile

TITLES = {"log": "a GPU log", "steps": "a training run", "phases": "a run in phases", "farm": "a farm of tasks",
          "jobs": "jobs of a scheduler", "trace": "a profiler's trace", "mixed": "jobs with events inside"}

# kind, then the arguments; a name with a * stands for each file that it fits.
OWN = [("farm", "data"), ("phases", "data/own")]
SHARED = [
    ("phases", "runs/mlperf-training-1node"),
    ("phases", "runs/mlperf-inference-orin"),
    ("jobs", "runs/clustercockpit"),
    ("jobs", "formats/slurm-sacct/sample-sacct-output.txt"),
    ("jobs", "formats/slurm-sacct/sample-sacct-output-invalid-utf8.txt"),
    ("jobs", "formats/nextflow-trace/execution-trace-raw.tsv"),
    ("phases", "formats/codecarbon"),
    ("trace", "formats/chrome-trace-pytorch/*"),
    ("trace", "formats/nsys-nvtx-csv/*"),
    ("log", "formats/telegraf-line-protocol/nvidia_smi.lp"),
    ("log", "review3/training/runA.csv.xz"),
    ("steps", "review3/training/runA.csv.xz", "--events", "review3/training/runA-steps.jsonl"),
    ("steps", "review3/training/runA.csv.xz", "--events", "review3/training/runA-steps.csv"),
    ("phases", "--samples", "runs/mlperf-training-5runs/power/*5759*", "--events",
     "runs/mlperf-training-5runs/result_5759-240517075402311260012_2.txt.xz"),
    # and ten that the rule was not made with
    ("log", "power-logs/a100-square-wave.csv"),
    ("log", "power-logs/asr-load.csv"),
    ("log", "power-logs/h100-x8.csv"),
    ("log", "power-logs/rtx3090-step.csv"),
    ("log", "power-logs/t4-with-na.csv"),
    ("phases", "power-logs/rtx3090-step-bursts.csv"),
    ("log", "review3/uneven"),
    ("phases", "review3/plateau"),
    ("log", "review3/files/sensors.csv"),
    ("log", "runs/e2fl/power_RPi5_2025-03-28_015640.230948.csv"),
    ("phases", "formats/otlp-json/trace.json"),
    ("steps", "review3/training/runB.csv.xz", "--events", "review3/training/runB-steps.jsonl"),
    ("log", "power-logs/asr-load-100.csv"),
    ("steps", "power-logs/a100-square-wave-bursts.csv"),  # 76 bursts of one length, one behind the other
    ("steps", "review3/equal_util"),  # 20 tasks on each of 8 GPUs, which begin together
    ("phases", "review3/files/cc.csv"),
    ("log", "formats/telegraf-line-protocol/amd_rocm_smi.lp"),
    ("log", "runs/e2fl", "--set", "samples.host.file=power_{}_*"),
    ("phases", "--samples", "runs/mlperf-training-5runs/power/*5762*", "--events",
     "runs/mlperf-training-5runs/result_5762-240517075402404624683_3.txt.xz"),
    ("jobs", "review3/site/site.tar.xz"),
] + [("log", "formats/" + name, "--set", "samples.time.every=1s", "--set", "samples.origin=2024-05-01T12:00:00Z")
     for name in ("prometheus-text/amd-device-metrics-mini.txt", "prometheus-text/dcgm-exporter-readme.prom",
                  "prometheus-text/omnistat.prom", "rocm-smi-json/mi100_rocm602.json",
                  "rocm-smi-json/rx6700xt_rocm612.json", "rocm-smi-json/vega-20-WKS-GL-XE.json")]


def clock(s):
    return "2025-03-04T%02d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60)


def worker_rows():
    for w in range(8):
        at = 5 * w
        for k in range(40):
            length = 30 + (k * 37 + w * 11) % 60
            yield "n%d,0,t%d-%d,infer,%s,%s" % (w, w, k, clock(at), clock(at + length))
            at += length + 1


# kind, name, lines
PUBLIC = [
    ("log", "pci.csv", ["timestamp, pci.bus_id, utilization.gpu [%], utilization.memory [%], memory.used [MiB]"] +
     ["2025/03/04 09:%02d:%02d.000, 00000000:%02d:00.0, 97 %%, 30 %%, 20000 MiB" % (t // 60, t % 60, g)
      for t in range(200) for g in (1, 2)]),
    ("log", "iso.csv", ["timestamp,utilization.gpu,utilization.memory,memory.used,power.draw"] +
     ["%s,123456789+01:00,97, 40, 20000, 297.%02d" % (clock(t), t % 100) for t in range(200)]),
    ("log", "clocks.csv", ["index, timestamp, power.draw [W], clocks.current.sm [MHz], clocks.current.memory [MHz]"] +
     ["%d, 2025/03/04 09:%02d:%02d.000, %d.25 W, 1755 MHz, 2619 MHz" % (g, t // 6, t % 6 * 10, 600 + t % 7)
      for t in range(100) for g in range(2)]),
    ("jobs", "sacct.txt", ["JobID|User|Account|Partition|State|Start|End|AllocTRES|NodeList"] +
     ["%d%s|ann|a|gpu|COMPLETED|%s|%s|gres/gpu=2|n%d" % (k, step, clock(3600 * k), clock(3600 * k + 3000), k % 4)
      for k in range(20) for step in ("", ".batch")]),
    ("steps", "epochs.csv", ["epoch,start,end,train_loss"] +
     ["%d,%sZ,%sZ,%.3f" % (k, clock(600 * k), clock(600 * k + 590), 2 - 0.05 * k) for k in range(30)]),
    ("phases", "pipeline.csv", ["name,start,stop"] +
     ["%s,%sZ,%sZ" % (name, clock(600 * k), clock(600 * k + 500))
      for k, name in enumerate(("download", "preprocess", "train", "evaluate"))]),
    ("farm", "workers.csv", ["host,gpu,task,event,start,stop"] + list(worker_rows())),
    ("phases", "nested.csv", ["name,start,stop"] +
     ["%s,%sZ,%sZ" % (name, clock(600 * k + a), clock(600 * k + b))
      for k in range(12) for name, a, b in (("fit", 0, 40 + k % 4 * 140), ("save", 1, 2 + k % 5))]),
]


def public_sets(folder):
    for kind, name, lines in PUBLIC:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")
        yield kind, path


def read_as(program, args):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "r")
        run = subprocess.run([program, "report", *args, "-o", out, "-q"], capture_output=True, text=True)
        if run.returncode != 0:
            return "refused: " + run.stderr.strip()[:150]
        with open(os.path.join(out, "report.md"), encoding="utf-8") as f:
            return re.search(r"Read as (.*?)(?:\. --kind|\n)", f.read()).group(1)


def main():
    program, shared = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "../shared/data"
    with tempfile.TemporaryDirectory() as folder:
        return judge(program, shared, folder)


def judge(program, shared, folder):
    sets = OWN + list(public_sets(folder))
    n_own = len(sets)
    for kind, *args in SHARED if os.path.isdir(shared) else []:
        here = [os.path.join(shared, a) if "/" in a and "=" not in a else a for a in args]
        if here[0].endswith(".tar.xz"):
            with tarfile.open(here[0]) as packed:
                packed.extractall(os.path.join(folder, "set"))
            here[0] = os.path.join(folder, "set")
        each = sorted(glob.glob(here[-1])) if "*" in here[-1] and "=" not in here[-1] else [here[-1]]
        here = [sorted(glob.glob(a))[0] if "*" in a and "=" not in a and a != here[-1] else a for a in here]
        sets += [(kind, *here[:-1], one) for one in each]
    wrong = 0
    for kind, *args in sets:
        got = read_as(program, args)
        if not got.startswith(TITLES[kind] + ":"):
            wrong += 1
            print("%s: %s, expected %s" % (" ".join(args), got, TITLES[kind]))
    print("%d sets, %d wrong" % (len(sets), wrong))
    if len(sets) == n_own:
        print("the shared sets are not there: skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
