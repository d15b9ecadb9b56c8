"""kinds.py PROGRAM [SHARED] - the kind of run that the report reads real sets as; data/ alone where SHARED is not there.

A set that has no times, or lies in a form that is refused, has no kind; the sets here are those that are read.
"""
import glob
import os
import re
import subprocess
import sys
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
]


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
    sets = list(OWN)
    for kind, *args in SHARED if os.path.isdir(shared) else []:
        here = [a if a.startswith("-") else os.path.join(shared, a) for a in args]
        each = sorted(glob.glob(here[-1])) if "*" in here[-1] else [here[-1]]
        here = [sorted(glob.glob(a))[0] if "*" in a and a != here[-1] else a for a in here]
        sets += [(kind, *here[:-1], one) for one in each]
    wrong = 0
    for kind, *args in sets:
        got = read_as(program, args)
        if not got.startswith(TITLES[kind] + ":"):
            wrong += 1
            print("%s: %s, expected %s" % (" ".join(args), got, TITLES[kind]))
    print("%d sets, %d wrong" % (len(sets), wrong))
    if len(sets) == len(OWN):
        print("the shared sets are not there: skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
