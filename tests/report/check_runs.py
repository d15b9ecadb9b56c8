"""Runs that are not like the study's: what their reports answer, from the rows that are written here.

    check_runs.py GPUSTAT SCRATCH

A log of GPUs alone, single readings, events that are not all of the run and samples with gaps, tasks too short for a
sample each, hosts with several GPUs whom no event names. The arithmetic is that of tests/oracle/report.py.
"""
import collections
import datetime
import json
import os
import random
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import report as oracle  # noqa: E402

PROGRAM, SCRATCH = sys.argv[1], sys.argv[2]
BEGIN = datetime.datetime(2024, 5, 1)
four, counted, joules_of, check = oracle.four, oracle.counted, oracle.joules_of, oracle.check


def stamp(ms):
    return (BEGIN + datetime.timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "Z"


def write(name, samples, spans):
    """samples: (ms, host, gpu, power, temp, util, mem); spans: (event, host, job, task, from, to)."""
    directory = os.path.join(SCRATCH, name)
    os.makedirs(directory)
    if samples:
        with open(os.path.join(directory, "gpu.csv"), "w") as f:
            f.write("timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n")
            for t, host, gpu, *values in samples:
                f.write("%s,%s,s-%s,GPU-%s,%s\n" % (stamp(t), host, gpu, gpu, ",".join(str(v) for v in values)))
    if spans:
        with open(os.path.join(directory, "application-checkpoints.csv"), "w") as f:
            f.write("timestamp,hostname,eventName,eventType,jobId,taskId\n")
            for event, host, job, task, begin, end in spans:
                for t, kind in ((begin, "START"), (end, "STOP")):
                    f.write("%s,%s,%s,%s,%s,%s\n" % (stamp(t), host, event, kind, job, task))
    return directory


def report_of(name, samples, spans, *options):
    directory = write(name, samples, spans)
    out = os.path.join(SCRATCH, name + "-report")
    kind = ["--kind", "farm"] if spans else []  # the sentences held here are those of tasks
    run = subprocess.run([PROGRAM, "report", directory, "-q", "-o", out, *kind, *options], capture_output=True, text=True)
    check(name + ": a report is made", run.returncode == 0, run.stderr)
    check(name + ": its figures show something", subprocess.run(
        [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_report.py"), out],
        capture_output=True, text=True).stdout.strip().endswith(" 0 failed"))
    with open(os.path.join(out, "report.json"), encoding="utf-8") as f:
        return oracle.Answers(out), {s["id"]: s for s in json.load(f)["sections"]}


def gpus_of(samples):
    rows = collections.defaultdict(list)
    for t, host, gpu, *values in samples:
        rows[host, gpu].append((t,) + tuple(values))
    return {k: oracle.Gpu(r) for k, r in rows.items()}


def every(begin, end, step, host, gpu, seed, low=60, high=120):
    """Readings that are new each time: nothing shows of the sensor's period."""
    rng = random.Random(seed)
    return [(t, host, gpu, round(rng.uniform(low, high), 2), rng.randrange(40, 60), rng.randrange(100), rng.randrange(50))
            for t in range(begin, end + 1, step)]


def energies(answers, gpus):
    """The values and words on all energy, of an unknown card."""
    joules, seen = sum(g.joules[-1] for g in gpus.values()), sum(g.covered[-1] for g in gpus.values()) / 1000
    said = answers.said["energy"]["values"]
    oracle.hold_interval(said, gpus)
    values = {"energy_j": joules, "energy_kwh": joules / 3.6e6, "power_mean_w": joules / seen,
              "energy_low_j": said["energy_low_j"], "energy_high_j": said["energy_high_j"]}
    unit, name = oracle.unit_of(said["energy_high_j"])
    ends = "%s to %s %s" % ("0" if said["energy_low_j"] <= 0 else four(said["energy_low_j"] / unit), four(said["energy_high_j"] / unit), name)
    each = " W each" if len(gpus) > 1 else " W on average"
    return values, [joules_of(joules), "95 % interval", ends, "%.1f%s" % (joules / seen, each)], seen


def alone():
    """Two GPUs without events: 50 W and 150 W by turns, so that they worked and waited."""
    samples = []
    for k, host in enumerate(("a", "b")):
        for t in range(0, 400001, 1000):
            samples.append((t, host, host, (50 + 100 * (t // 100000 % 2)) + round((t / 1000 * 7919 + k) % 97 / 100, 2), 50, 90 * (t // 100000 % 2), 20))
    answers, sections = report_of("alone", samples, [])
    values, shown, _ = energies(answers, gpus_of(samples))
    answers.hold("energy", values, shown)
    answers.hold("missing", {}, [])
    phases = answers.said["phases"]["values"]
    check("alone: half of the time is idle, a quarter of the energy", abs(phases["idle_time_pct"] - 50) < 1 and
          abs(phases["idle_energy_pct"] - 25) < 1 and phases["gpus_with_phases"] == 2, phases)
    with open(os.path.join(SCRATCH, "alone-report", "figure-power.csv"), encoding="utf-8") as f:
        check("alone: its readings are drawn", sum(1 for _ in f) == 1 + len(samples))
    check("alone: what no event can tell is not there", all(sections[s]["missing"] == "there are no events" for s in
          ("events", "zoom", "bias", "balance", "schedule", "tiles", "clusters")))


def single_readings():
    samples = [(20 * g, "a", str(g), 70 + g / 4, 30, 0, 0) for g in range(8)]
    answers, _ = report_of("single", samples, [])
    mean = statistics.fmean(s[3] for s in samples)
    answers.hold("energy", {"power_mean_w": mean}, ["The mean of 8 readings is %.1f W" % mean])


def gaps_and_more():
    """Init before the tasks of one worker; half of the log is gaps, which are bridged, and the interval knows them."""
    spans = [("init", "a", "j", "0", 5000, 65000)]
    for k in range(4):
        begin = 70000 + 60000 * k
        spans += [("task", "a", "j", str(k + 1), begin, begin + 50000), ("step", "a", "j", str(k + 1), begin + 1000, begin + 49000)]
    rows = every(0, 330000, 1000, "a", "a", 1)
    samples = [s for s in rows if not (80000 < s[0] < 115000 or 121000 < s[0] < 129000 or 200000 < s[0] < 290000)]
    answers, sections = report_of("gaps", samples, spans, "--event", "task")
    gpus = gpus_of(samples)
    g = gpus["a", "a"]
    whole = (g.time[-1] - g.time[0]) / 1000
    of = {e: [s[4:] for s in spans if s[0] == e] for e in ("init", "task", "step")}
    first, last = 70000, 70000 + 60000 * 3 + 50000
    busy = 4 * 50000
    step = g.length(of["step"]) / 1000
    answers.hold("time", {"makespan_s": (last - first) / 1000, "tasks": 4, "workers": 1, "busy_pct": 100 * busy / (last - first),
                          "bound_time_pct": 100 * step / whole},
                 ["took 4.9 min", "fill 3.8 min", "4 tasks", "1 worker", "busy %.1f %% of that" % (100 * busy / (last - first)),
                  "step took %.1f %%" % (100 * step / whole)])
    values, shown, seen = energies(answers, gpus)
    held = oracle.union([s[4:] for s in spans])
    idle = 100 * (1 - g.within(held)[0] / values["energy_j"])
    idle_time = 100 * (1 - g.length(held) / 1000 / whole)
    check("gaps: all of the log has energy", seen == whole, (seen, whole))
    values.update(idle_time_pct=idle_time, idle_energy_pct=idle)
    answers.hold("energy", values, shown + ["No event ran for %.2f %% of the logged GPU time" % idle_time, "%.2f %% of the energy" % idle])
    check("gaps: one worker has no tail and nothing to compare with", "tail" not in answers.said and "populations" not in answers.said
          and sections["clusters"]["missing"] is not None and not any(f["name"] == "figure-5" for f in sections["gpus"]["figures"]))


def tasks_without_samples():
    """Samples 10 s apart, tasks of 7 s: some hold none, and are no part of what the method hides."""
    spans, samples = [], []
    for k, host in enumerate(("a", "b")):
        spans += [("task", host, "j", "%s%d" % (host, i), 12300 * i + 2000 * k, 12300 * i + 2000 * k + 7000) for i in range(20)]
        samples += every(-5000, 260000, 10000, host, host, 10 + k)
    answers, sections = report_of("short", samples, spans, "--event", "task")
    gpus = gpus_of(samples)
    both = []
    for _, host, _, _, begin, end in spans:
        g = gpus[host, host]
        inside = g.inside(0, begin, end)
        if inside is not None:
            both.append((inside, (g.nearest(begin)[0] + g.nearest(end)[0]) / 2))
    inside, ends = (statistics.fmean(b[k] for b in both) for k in (0, 1))
    hidden = 100 * (1 - ends / inside)
    answers.said["method"]["values"].pop("power_by_energy_w", None)
    text = answers.said["method"]["text"]
    check("short: some hold none", len(both) < len(spans))
    agree = "agree within 1 %" if abs(hidden) < 1 else "%s %.0f %% of its power" % ("hides" if hidden > 0 else "adds", abs(hidden))
    answers.said["method"]["text"] = text.split(" By its energy")[0]
    answers.hold("method", {"power_ends_w": ends, "power_inside_w": inside, "hidden_pct": hidden},
                 ["draw %.1f W" % ends, "average %.1f W" % inside, agree, "in the %d of %d that hold a sample" % (len(both), len(spans))])
    words = " ".join(p["text"] for p in sections["gpus"]["text"])
    check("short: two GPUs have no correlation", "Fewer than three GPUs" in words and not sections["gpus"]["figures"], words)


def several_gpus():
    """Two hosts of two GPUs, events that name none: what a host does all its GPUs do."""
    spans, samples = [], []
    for k, host in enumerate(("a", "b")):
        end = 0
        for i in range(12):
            begin, end = 10000 + 20000 * i, 10000 + 20000 * i + (15000 if k == 0 else 15300) + 7 * i
            spans.append(("task", host, "j", "%s%d" % (host, i), begin, end))
        for gpu in "01":
            samples += every(0, 270000, 1000, host, host + gpu, 20 + 2 * k + int(gpu))
    answers, _ = report_of("several", samples, spans, "--event", "task")
    gpus = gpus_of(samples)
    values, shown, seen = energies(answers, gpus)
    busy_j = sum(g.within([s[4:] for s in spans if s[1] == host])[0] for (host, _), g in gpus.items())
    busy_s = sum(g.length([s[4:] for s in spans if s[1] == host]) for (host, _), g in gpus.items()) / 1000
    values.update(idle_energy_pct=100 * (1 - busy_j / values["energy_j"]), idle_time_pct=100 * (1 - busy_s / seen))
    answers.hold("energy", values, shown + ["No event ran for %.2f %% of the logged GPU time" % values["idle_time_pct"], "%.2f %% of the energy" % values["idle_energy_pct"]])
    dry = {h: max(s[5] for s in spans if s[1] == h) for h in "ab"}
    first, last = min(s[4] for s in spans), max(dry.values())
    tail = (last - min(dry.values())) / 1000
    lost = sum(2 * (last - d) for d in dry.values()) / 1000
    drew = sum(g.within([(dry[host], last)])[0] for (host, _), g in gpus.items())
    part = 100 * lost / ((last - first) / 1000 * 4)
    answers.hold("tail", {"tail_s": tail, "tail_lost_gpu_h": lost / 3600, "tail_lost_pct": part, "tail_energy_j": drew},
                 ["continued for %.1f s" % tail, "%.1f GPU-seconds" % lost, "%.2f %% of the run" % part, "and drew " + joules_of(drew)])


def every_kind():
    """Of each kind the page is whole and short in its sentences; only jobs hold GPUs, not what runs inside them."""
    def rows(kind):
        for i in range(40):
            for host in ("a", "b"):
                t = 5000 + 10000 * i
                if kind == "steps":
                    yield "step", host, t, t + 9000 + 100 * (i % 3), ""
                if kind in ("jobs", "mixed") and i % 10 == 0:
                    yield "job%d" % i, host, t, t + 95000, "u%d,COMPLETED" % (i % 4)
                if kind == "mixed":
                    yield "epoch", host, t, t + 9000, ","
                if kind == "phases" and i in (0, 5, 20):
                    yield "phase%d" % i, host, t, t + 30000, ""
                if kind == "trace":
                    yield from (("call%d" % k, host, t + 2 * k, t + 2 * k + 1, "") for k in range(6))
    for kind in ("log", "steps", "jobs", "mixed", "phases", "trace"):
        samples = [(t, h, h + g, 60 + 300 * (5000 < t < 405000), 60 + 30 * (h + g == "a0"), 90, 20)
                   for t in range(0, 410000, 1000) for h in "ab" for g in "0123"]
        directory, out = write(kind, samples, []), os.path.join(SCRATCH, kind + "-report")
        spans = list(rows(kind))
        if spans:
            with open(os.path.join(directory, "events.csv"), "w") as f:
                f.write("event,host,start,stop,user,state\n")
                f.writelines("%s,%s,%s,%s,%s\n" % (e, h, stamp(a), stamp(b), more or ",") for e, h, a, b, more in spans)
        options = ["--set", "events.attributes.user=user", "--set", "events.attributes.state=state"] if spans else []
        run = subprocess.run([PROGRAM, "report", directory, "-o", out, *options], capture_output=True, text=True)
        check(kind + ": a report is made", run.returncode == 0, run.stderr)
        held = subprocess.run([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_report.py"), out],
                              capture_output=True, text=True).stdout
        check(kind + ": its page is as promised", held.strip().endswith(" 0 failed"), held)
        with open(os.path.join(out, "report.json"), encoding="utf-8") as f:
            text = f.read()
        title = {"log": "a GPU log", "steps": "a training run", "jobs": "jobs of a scheduler", "mixed": "jobs with events inside",
                 "phases": "a run in phases", "trace": "a profiler's trace"}[kind]
        with open(os.path.join(out, "report.md"), encoding="utf-8") as f:
            check(kind + ": it is read as such", "Read as " + title in f.read())
        check(kind + ": eight jobs of two users, whatever runs inside", ("8 jobs of 2 users held" in text) == (kind in ("jobs", "mixed")))


for scenario in (every_kind, alone, single_readings, gaps_and_more, tasks_without_samples, several_gpus):
    scenario()
sys.exit(oracle.end())
