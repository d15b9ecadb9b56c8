"""kinds.py PROGRAM [SHARED] - the kind of run that the report reads real sets as; data/ alone where SHARED is not there.

Of the 29 sets that the rule was made with, these are refused, and so have no kind: sacct without starts, or as prose;
nextflow's trace with times for people; metrics of OpenTelemetry. A set of one scrape without a time is read with one.
Sets of PUBLIC are written here as public loggers write them.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

TITLES = {"log": "a GPU log", "steps": "a training run", "turns": "tasks in turn", "phases": "a run in phases", "farm": "a farm of tasks",
          "requests": "an inference run", "jobs": "jobs of a scheduler", "trace": "a profiler's trace", "mixed": "jobs with events inside"}

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
    ("turns", "power-logs/a100-square-wave-bursts.csv"),  # 76 bursts of one length, one behind the other
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


def day_clock(day, s):
    return "2025-03-%02dT%02d:%02d:%02dZ" % (1 + day + s // 86400, s % 86400 // 3600, s // 60 % 60, s % 60)


def request_rows():
    for k in range(300):
        at = 2 * k + k * 7 % 5
        yield json.dumps({"request_id": "cmpl-%x" % (k * 7919), "arrival_time": clock(at) + "Z", "finished_time":
                          clock(at + 1 + k * 37 % 11) + "Z", "output_tokens": 10 + k % 90, "finish_reason": "stop"})


def trial_rows():
    free = [0] * 4
    for k in range(40):
        g, length = free.index(min(free)), 200 + k * 137 % 600
        yield "%d,%d,%s,%s,%s,1e-%d" % (k, g, ("COMPLETE", "PRUNED")[k % 5 == 4], clock(free[g]), clock(free[g] + length), k % 4)
        free[g] += length + 5


def rank_rows(steps, parts, row):
    """Parts that all of 8 ranks run together, again and again."""
    at = 0
    for k in range(steps):
        for name, length in parts:
            for rank in range(8):
                yield row % {"rank": rank, "host": rank // 4, "step": k, "name": name, "start": clock(at), "stop":
                             clock(at + length - (k + rank) % 2)}
            at += length


def nightly_rows():
    for night in range(21):
        at = 50000
        for name, length in (("extract", 600), ("train", 14000), ("evaluate", 900)):
            yield "nightly,%s,run%d,success,%s,%s,box" % (name, night, day_clock(night, at), day_clock(night, at + length))
            at += length + night % 7


def traced_calls():
    names = ("aten::linear", "aten::addmm", "aten::relu", "cudaLaunchKernel", "ncclDevKernel_AllReduce", "aten::copy_")
    return [{"ph": "X", "cat": "cpu_op", "name": names[k % 6], "pid": 1, "tid": 1, "ts": 1000 + 90 * k, "dur": 20 + k % 50}
            for k in range(600)]


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
    ("requests", "requests.jsonl", list(request_rows())),  # of an inference server: they overlap and differ
    ("farm", "trials.csv", ["trial,gpu,state,datetime_start,datetime_complete,lr"] + list(trial_rows())),
    ("jobs", "array.txt", ["JobID|JobIDRaw|User|Account|JobName|State|Start|End|AllocTRES|NodeList"] +
     ["8999_%d%s|%d%s|eva|ml|sweep|COMPLETED|%s|%s|gres/gpu=1|n%d" % (k, step, 9000 + k, step, clock(900 * (k // 8)),
                                                                     clock(900 * (k // 8) + 400 + k), k % 2)
      for k in range(24) for step in ("", ".batch", ".extern")]),
    ("phases", "mpi.csv", ["rank,host,phase,begin,end"] + list(rank_rows(
        1, (("init", 2), ("read", 30), ("solve", 600), ("write", 44)), "%(rank)d,n%(host)d,%(name)s,%(start)sZ,%(stop)sZ"))),
    ("phases", "regions.csv", ["rank,host,region,start,stop"] + list(rank_rows(
        60, (("compute", 8), ("halo", 3)), "%(rank)d,n%(host)d,%(name)s,%(start)sZ,%(stop)sZ"))),
    ("steps", "ranks.csv", ["rank,step,start,end"] + list(rank_rows(
        60, (("", 20),), "%(rank)d,%(step)d,%(start)sZ,%(stop)sZ"))),
    ("trace", "trace.json", [json.dumps({"traceEvents": traced_calls(), "baseTimeNanoseconds": 1741000000000000000})]),
    ("log", "week.csv", ["timestamp, index, power.draw [W], utilization.gpu [%]"] +
     ["%s, %d, %d.50 W, %d %%" % (day_clock(0, 1800 * t)[:-1].replace("T", " ").replace("-", "/"), g,
                                  300 if t % 48 < 10 else 55, 97 if t % 48 < 10 else 0)
      for t in range(7 * 48) for g in range(2)]),
    ("phases", "dag.csv", ["dag_id,task_id,run_id,state,start_date,end_date,hostname"] + list(nightly_rows())),
    ("jobs", "pods.csv", ["namespace,pod,node,gpus,phase,startTime,finishTime"] +
     ["team-%d,train-%05d,n%d,%d,Succeeded,%sZ,%sZ" % (k % 3, k, k % 4, 1 + k % 2, clock(200 * k), clock(200 * k + 900))
      for k in range(40)]),
    ("jobs", "bjobs.csv", ["JOBID,USER,STAT,QUEUE,FROM_HOST,EXEC_HOST,JOB_NAME,SUBMIT_TIME,START_TIME,FINISH_TIME"] +
     ["%d,u%d,DONE,gpu,login,n%d,train,%sZ,%sZ,%sZ" % (k, k % 3, k % 4, clock(400 * k), clock(400 * k + 60), clock(400 * k + 900))
      for k in range(20)]),
    ("farm", "frames.csv", ["frame,node,gpu,scene,started,finished"] +
     ["%d,r%d,0,shot1,%sZ,%sZ" % (k, k % 6, clock(50 * (k // 6) + 8 * (k % 6)), clock(50 * (k // 6) + 8 * (k % 6) + 40 + k % 7))
      for k in range(120)]),
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


def overview_of(program, args):
    out = subprocess.run([program, *args], capture_output=True, text=True, check=False).stdout
    return "".join(re.findall(r"^Read as (.*)\.$", out, re.M))


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
        elif len(args) == 1 and (first := overview_of(program, args)) != got:
            wrong += 1
            print("%s: %s, by its path alone %s" % (args[0], got, first))
    print("%d sets, %d wrong" % (len(sets), wrong))
    if len(sets) == n_own:
        print("the shared sets are not there: skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
