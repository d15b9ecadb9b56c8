#!/usr/bin/env python3
"""Every sentence at the top of a report, and every number in it, from the raw rows.

    report.py DATASET REPORT

DATASET holds application-checkpoints.csv, gpu.csv and task-x-y.csv in the study's form, one GPU to a host; REPORT is
what `gpustat report DATASET -o REPORT` wrote with its default options. Shares no code with gpustat; floating point
throughout, so numbers are held to 1e-9. Each number that a sentence shows must be one that was computed here.
"""
import bisect
import collections
import csv
import datetime
import json
import math
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import energy as rule  # noqa: E402
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402

TASK = "TotalRender"
EPOCH = datetime.datetime(1970, 1, 1)


def milliseconds(text, days={}):
    day = text[:10]
    if day not in days:
        days[day] = (datetime.datetime.strptime(day, "%Y-%m-%d") - EPOCH).days * 86400000
    return days[day] + int(text[11:13]) * 3600000 + int(text[14:16]) * 60000 + int(text[17:19]) * 1000 + int(text[20:23])


def table(directory, name):
    with open(os.path.join(directory, name), newline="", encoding="utf-8") as f:
        rows = csv.reader(f)
        next(rows)
        return [tuple(r) for r in rows]


def pairs_of(rows):
    """(event, host, job, task, start, stop): a STOP closes the latest open START of its key."""
    marks = collections.defaultdict(list)
    for time, host, event, kind, job, task in rows:
        marks[event, host, job, task].append((milliseconds(time), kind == "START"))
    pairs = []
    for (event, host, job, task), times in marks.items():
        opened = []
        for t, is_start in sorted(times):
            if is_start:
                opened.append(t)
            elif opened:
                pairs.append((event, host, job, task, opened.pop(), t))
    return pairs


class Gpu:
    """The samples of a host in order of time, the mean of those at one instant, and the energy up to any time."""

    def __init__(self, rows):
        self.rows = rows
        at = collections.defaultdict(list)
        for t, *values in rows:
            at[t].append(values)
        self.time = sorted(at)
        self.value = [at[t][0] if len(at[t]) == 1 else [sum(v) / len(at[t]) for v in zip(*at[t])] for t in self.time]
        steps = [b - a for a, b in zip(self.time, self.time[1:])]
        self.longest = 3 * statistics.median(steps) if steps else 0
        # No reading is renewed here: the sensor is taken to show a power 0.3 s late, less half of a second cut off.
        self.shift = 300 - (500 if len(self.time) > 1 and all(t % 1000 == 0 for t in self.time) else 0)
        self.joules, self.covered = [0.0], [0]
        for i, step in enumerate(steps):
            self.joules.append(self.joules[-1] + step * (self.value[i][0] + self.value[i + 1][0]) / 2000)
            self.covered.append(self.covered[-1] + step)
        self.prefix, self.instants = [[0.0] for m in range(4)], []
        for row in sorted(rows):
            self.instants.append(row[0])
            for m in range(4):
                self.prefix[m].append(self.prefix[m][-1] + row[1 + m])

    def up_to(self, t):
        """Joules and milliseconds of the log before t, straight across every gap."""
        t = min(max(t + self.shift, self.time[0]), self.time[-1])
        i = bisect.bisect_right(self.time, t) - 1
        if i + 1 == len(self.time):
            return self.joules[i], self.covered[i]
        w, (p, q) = t - self.time[i], (self.value[i][0], self.value[i + 1][0])
        return self.joules[i] + w * (p + (q - p) * w / (self.time[i + 1] - self.time[i]) / 2) / 1000, self.covered[i] + w

    def within(self, spans):
        joules = covered = 0
        late = 500 if all(t % 1000 == 0 for span in spans for t in span) else 0  # half of the second that was cut off
        for a, b in spans:
            (e, s), (f, t) = self.up_to(a + late), self.up_to(b + late)
            joules, covered = joules + f - e, covered + t - s
        return joules, covered

    def sum(self):
        """The log's energy and all that its interval is made of."""
        return rule.Sensor([t / 1000 for t in self.time], [v[0] for v in self.value], False).sum()

    def length(self, spans):
        """Milliseconds of the spans that the log shows."""
        return self.within(spans)[1]

    def nearest(self, t):
        i = bisect.bisect_left(self.time, t)
        if i == len(self.time) or (i > 0 and t - self.time[i - 1] <= self.time[i] - t):
            i -= 1
        return self.value[i]

    def inside(self, m, start, stop):
        a, b = bisect.bisect_left(self.instants, start), bisect.bisect_right(self.instants, stop)
        return (self.prefix[m][b] - self.prefix[m][a]) / (b - a) if b > a else None

    def mean(self, m):
        return sum(r[1 + m] for r in self.rows) / len(self.rows)


def hold_interval(said, gpus):
    """The interval of all energy; the measured models are rounded there."""
    whole = rule.Sum()
    for g in gpus.values():
        whole.add(g.sum())
    for key, wanted in (("energy_low_j", whole.low()), ("energy_high_j", whole.e + whole.half())):
        check("energy: " + key, abs(said[key] - wanted) < 0.001 * whole.half(), (said[key], wanted))


def union(spans):
    merged = []
    for a, b in sorted(spans):
        if b <= a:
            continue
        if merged and a <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    return merged


def gpus_of(rows):
    of_host = collections.defaultdict(list)
    for time, host, serial, uuid, *values in rows:
        of_host[host].append((milliseconds(time),) + tuple(float(v) for v in values))
    return {h: Gpu(r) for h, r in of_host.items()}


def quartile(values, p):
    values = sorted(values)
    at = p * (len(values) - 1)
    i = min(int(at), len(values) - 2)
    return values[i] + (at - i) * (values[i + 1] - values[i])


def populations(points):
    """Two-means on standardised points {key: (x, ...)}, from the split at the middle of the last axis; extreme ones join last."""
    keys, far = sorted(points), set()
    axes = range(len(points[keys[0]]))
    for d in axes:
        values = [points[k][d] for k in keys]
        low, high = quartile(values, 0.25), quartile(values, 0.75)
        far |= {k for k in keys if not low - 3 * (high - low) <= points[k][d] <= high + 3 * (high - low)}
    if len(far) >= max(3, 0.1 * len(keys)):
        far = set()
    near = [k for k in keys if k not in far]
    scale = [(statistics.mean(points[k][d] for k in near), statistics.pstdev(points[k][d] for k in near)) for d in axes]
    place = {k: [(points[k][d] - scale[d][0]) / scale[d][1] for d in axes] for k in keys}
    middle = (max(place[k][-1] for k in near) + min(place[k][-1] for k in near)) / 2
    side = {k: place[k][-1] > middle for k in near}
    while True:
        centre = {s: [statistics.fmean(place[k][d] for k in near if side[k] == s) for d in axes] for s in (False, True)}
        nearest = {k: math.dist(place[k], centre[True]) < math.dist(place[k], centre[False]) for k in keys}
        if all(nearest[k] == side[k] for k in near):
            return nearest, place
        side = {k: nearest[k] for k in near}


def correlation(points):
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    xx, yy, xy = (sum((a[i] - (sx, sy)[i] / n) * (a[j] - (sx, sy)[j] / n) for a in points) for i, j in ((0, 0), (1, 1), (0, 1)))
    return xy / math.sqrt(xx * yy)


def within(points, side):
    """r of the deviations from each population's own means."""
    rest = []
    for s in (False, True):
        own = [points[k] for k in points if side[k] == s]
        mx, my = (statistics.fmean(p[i] for p in own) for i in (0, 1))
        rest += [(x - mx, y - my) for x, y in own]
    return sum(x * y for x, y in rest) / math.sqrt(sum(x * x for x, _ in rest) * sum(y * y for _, y in rest))


def p_slower(own, others):
    """One-sided rank sum by the normal approximation, with ties; others sorted."""
    n, m = len(own), len(others)
    u = sum(bisect.bisect_left(others, v) + 0.5 * (bisect.bisect_right(others, v) - bisect.bisect_left(others, v)) for v in own)
    return 0.5 * math.erfc((u - n * m / 2 - 0.5) / math.sqrt(n * m * (n + m + 1) / 12) / math.sqrt(2))


def against(own, everyone):
    """Tasks against those of a population, sorted: the ratio of the medians, and p of being 3 % slower."""
    ratio = statistics.median(own) / statistics.median(everyone)
    return ratio, p_slower([t / 1.03 for t in own], everyone) if ratio >= 1.03 else 1.0


def without(everyone, own):
    others = everyone[:]
    for t in own:
        del others[bisect.bisect_left(others, t)]
    return others


def silhouette(k, side, place):
    apart = {s: [math.dist(place[k], place[o]) for o in place if o != k and side[o] == s] for s in (False, True)}
    a, b = statistics.fmean(apart[side[k]]), statistics.fmean(apart[not side[k]])
    return (b - a) / max(a, b)


def slow_gpus(tasks, side, place):
    """{host: (slower by per cent, seconds lost)}: 3 % slower than the others of their population, q < 0.05, and than the other one where they lie between."""
    everyone = {s: sorted(t for h in tasks for t in tasks[h][s] if side[h] == s) for s in (False, True)}
    found, p = {}, []
    for h in tasks:
        own = tasks[h][side[h]]
        ratio, chance = against(own, without(everyone[side[h]], own))
        found[h] = 100 * (ratio - 1), sum(tasks[h]["s"]) * (1 - 1 / ratio)
        p.append((chance, h))
    slow, p = set(), sorted(p)
    for i in range(len(p), 0, -1):
        if p[i - 1][0] * len(p) / i < 0.05:
            slow = {h for _, h in p[:i]}
            break
    return {h: found[h] for h in slow if found[h][0] >= 3 and
            (silhouette(h, side, place) >= 0.4 or against(tasks[h][not side[h]], everyone[not side[h]])[1] < 0.05)}


class Answers:
    def __init__(self, directory):
        self.said = {a["id"]: a for a in json.load(open(os.path.join(directory, "report.json"), encoding="utf-8"))["answers"]}
        self.looked_at = set()

    def hold(self, name, values, shown, tolerance=1e-9):
        """`values` by name as computed here; `shown`: the parts of the sentence that hold numbers."""
        said = self.said.get(name)
        self.looked_at.add(name)
        if said is None:
            check(name + " is said", False)
            return
        for key, wanted in values.items():
            got = said["values"].get(key)
            check("%s: %s" % (name, key), got is not None and abs(got - wanted) <= tolerance * max(1, abs(wanted)), (got, wanted))
        check(name + ": no other value", set(said["values"]) == set(values), set(said["values"]) ^ set(values))
        rest = said["text"]
        for part in sorted(shown, key=len, reverse=True):
            check("%s says %s" % (name, part), part in rest, said["text"])
            rest = rest.replace(part, "", 1)
        check(name + " shows no other number", not re.search(r"\d", rest), rest)


def four(value):
    digits = max(0, 3 - math.floor(math.log10(abs(value)))) if value else 0
    return "{:,.{}f}".format(value, digits)


def joules_of(value):
    factor, unit = unit_of(value)
    return "{:,.0f} J".format(value) if factor == 1 else four(value / factor) + " " + unit


def unit_of(value):
    """The multiple of J that suits a number of joules."""
    return next((f, u) for least, f, u in ((3.6e10, 3.6e9, "MWh"), (3.6e6, 3.6e6, "kWh"), (3.6e3, 3.6e3, "Wh"), (0, 1, "J"))
                if value >= least)


def counted(n, noun):
    return "{:,} {}{}".format(n, noun, "" if n == 1 else "s")


def length(seconds):
    return "%.1f min" % (seconds / 60) if seconds >= 120 else "%.1f s" % seconds


def main():
    dataset, answers = sys.argv[1], Answers(sys.argv[2])
    marks, samples, listed = (table(dataset, f) for f in ("application-checkpoints.csv", "gpu.csv", "task-x-y.csv"))
    once, samples_once = list(dict.fromkeys(marks)), list(dict.fromkeys(samples))
    pairs, gpus = pairs_of(once), gpus_of(samples_once)
    check("the set has one GPU to a host", len(gpus) == len({s[1:4] for s in samples}))
    tasks = [p for p in pairs if p[0] == TASK]
    of_host = collections.defaultdict(list)
    for p in tasks:
        of_host[p[1]].append(p)

    # How long, and what bounds it: the innermost event is the one that takes least over the run.
    first, last = min(p[4] for p in tasks), max(p[5] for p in tasks)
    makespan = (last - first) / 1000
    busy = sum(b - a for h in of_host.values() for a, b in union([p[4:] for p in h])) / 1000
    total = collections.Counter()
    for p in pairs:
        total[p[0]] += p[5] - p[4]
    spans = collections.defaultdict(lambda: collections.defaultdict(list))
    for p in pairs:
        spans[p[1]][p[0]].append(p[4:])
    joules, seen = sum(g.joules[-1] for g in gpus.values()), sum(g.covered[-1] for g in gpus.values()) / 1000
    sampled = sum(g.time[-1] - g.time[0] for g in gpus.values()) / 1000
    energy_before = time_before = 0
    innermost = {}
    order = sorted(total, key=lambda e: (total[e], e))
    for k, event in enumerate(order):
        e = t = 0
        for h, g in gpus.items():
            busy_with = union([s for name in order[:k + 1] for s in spans[h][name]])
            e, t = e + g.within(busy_with)[0], t + g.length(busy_with) / 1000
        innermost[event] = t - time_before
        energy_before, time_before = e, t
    bound = max(innermost, key=innermost.get)
    share = 100 * innermost[bound] / sampled
    answers.hold("time", {"makespan_s": makespan, "tasks": len(tasks), "workers": len(of_host), "bound_time_pct": share,
                          "busy_pct": 100 * busy / makespan / len(of_host)},
                 [length(makespan), counted(len(tasks), "task"), counted(len(of_host), "worker"),
                  "busy %.1f %%" % (100 * busy / makespan / len(of_host)), "%s took %.1f %% of the GPU time" % (bound, share)])

    # The energy, its interval for a card that is not known, and what ran idle.
    idle_j, idle_s = 100 * (joules - energy_before) / joules, 100 * (sampled - time_before) / sampled
    said = answers.said["energy"]["values"]
    hold_interval(said, gpus)
    answers.hold("energy", {"energy_j": joules, "energy_kwh": joules / 3.6e6, "power_mean_w": joules / seen, "idle_energy_pct": idle_j,
                            "idle_time_pct": idle_s, "energy_low_j": said["energy_low_j"], "energy_high_j": said["energy_high_j"]},
                 [joules_of(joules), "95 % interval", "%.1f W each" % (joules / seen),
                  "%s to %s" % (four(said["energy_low_j"] / unit_of(said["energy_high_j"])[0]), joules_of(said["energy_high_j"])),
                  "No event ran for %.2f %% of the logged GPU time" % idle_s, "%.2f %% of the energy" % idle_j])

    # Populations on the axes that the rule chose, grouped anew; their task times by the median and the mean of their GPUs.
    with open(os.path.join(sys.argv[2], "clusters.csv"), newline="", encoding="utf-8") as f:
        axes = next(csv.DictReader(f))["axes"]
    axis = [m for m, name in enumerate(("gpu_util_pct", "mem_util_pct"), 2) if name in axes]
    side, place = populations({h: [g.mean(m) for m in axis] for h, g in gpus.items()})
    mean_s = {h: statistics.fmean(p[5] - p[4] for p in of_host[h]) / 1000 for h in gpus}
    group = [[h for h in gpus if side[h] == s] for s in (False, True)]
    fast, slow = sorted(group, key=lambda g: statistics.median(mean_s[h] for h in g))
    median = [statistics.median(mean_s[h] for h in g) for g in (fast, slow)]
    average = [statistics.fmean(mean_s[h] for h in g) for g in (fast, slow)]
    watts = [statistics.fmean(gpus[h].mean(0) for h in g) for g in (fast, slow)]
    more = 100 * (median[1] / median[0] - 1)
    answers.hold("populations", {"populations": 2, "fast_gpus": len(fast), "slow_gpus": len(slow), "fast_task_s": average[0],
                                 "slow_task_s": average[1], "task_difference_pct": 100 * (average[1] / average[0] - 1),
                                 "fast_task_median_s": median[0], "slow_task_median_s": median[1],
                                 "task_median_difference_pct": more, "power_difference_w": watts[1] - watts[0]},
                 ["2 groups", "%d take %.2f s a task" % (len(fast), median[0]), "%d take %.2f s" % (len(slow), median[1]),
                  "The medians differ by %.1f %%" % more, "%.1f W %s" % (abs(watts[1] - watts[0]), "more" if watts[1] > watts[0] else "less")])

    # The study's correlations keep duplicate rows; which owes most to the populations?
    kept, kept_tasks = gpus_of(samples), collections.defaultdict(list)
    twice = 0
    for p in pairs_of(marks):
        twice -= p[0] == TASK
        if p[0] == TASK:
            kept_tasks[p[1]].append((p[5] - p[4]) / 1000)
    points = [{h: (g.mean(m), statistics.fmean(kept_tasks[h])) for h, g in kept.items()} for m in range(4)]
    kept_side = populations({h: [g.mean(m) for m in axis] for h, g in kept.items()})[0]
    r = [(correlation(list(p.values())), within(p, kept_side)) for p in points]
    m = max(range(4), key=lambda k: abs(r[k][0]) - abs(r[k][1]))
    answers.hold("relation", {"r": r[m][0], "r_within": r[m][1]},
                 ["%s correlates" % ("power", "temperature", "GPU utilisation", "memory utilisation")[m], "r = %.2f" % r[m][0],
                  "by %.2f within" % r[m][1]])

    # Slow for their population, each task against its level's median there; hot at 80 degrees.
    level = {(row[1], row[0]): row[4] for row in listed}
    by_level = collections.defaultdict(list)
    for p in tasks:
        by_level[side[p[1]], level.get((p[2], p[3]))].append((p[5] - p[4]) / 1000)
    usual = {k: statistics.median(v) for k, v in by_level.items()}
    times = {h: {s: [(p[5] - p[4]) / 1000 / usual.get((s, level.get((p[2], p[3]))), 1) for p in of_host[h]] for s in (False, True)} for h in gpus}
    for h in gpus:
        times[h]["s"] = [(p[5] - p[4]) / 1000 for p in of_host[h]]
    found = slow_gpus(times, side, place)
    hot = [h for h, g in gpus.items() if any(row[2] >= 80 for row in g.rows)]
    lost = sum(s for _, s in found.values())
    shown = ["80 \u00b0C", "none ran" if not hot else "; %s ran" % (hot[0] if len(hot) == 1 else "%d GPUs" % len(hot))]
    if found:
        worst = max(found, key=lambda h: found[h][0])
        shown += [worst, "%.1f %% slower" % found[worst][0], "%.0f GPU-seconds" % lost, counted(len(found), "GPU")]
    else:
        shown.append("No GPU is slow")
    answers.hold("stragglers", {"slow_gpus": len(found), "hot_gpus": len(hot), "cost_gpu_s": lost}, shown)

    # The tail: from the first worker that runs dry to the last.
    dry = [max(p[5] for p in h) for h in of_host.values()]
    tail, idle = (last - min(dry)) / 1000, sum(last - d for d in dry) / 3.6e6
    part = 100 * idle * 3600 / makespan / len(dry)
    drew = sum(gpus[h].within([(max(p[5] for p in of_host[h]), last)])[0] for h in of_host)
    answers.hold("tail", {"tail_s": tail, "tail_lost_gpu_h": idle, "tail_lost_pct": part, "tail_energy_j": drew},
                 ["and drew " + joules_of(drew), "continued for %.1f s" % tail, "%.1f GPU-seconds" % (3600 * idle) if idle < 0.1 else "%.2f GPU-hours" % idle, "%.2f %% of the run" % part])

    # What is wrong: rows that are there twice, and on how many hosts; checkpoints without samples around; gaps.
    twice = -twice - len(tasks)
    shown, n = ["%s twice" % counted(twice, "task")], 0
    for rows, kind, column in ((marks, "event", 1), (samples, "sample", 1)):
        again = [row for row, times in collections.Counter(rows).items() for k in range(times - 1)]
        if again:
            shown.append("{:,} duplicate {} rows on {:,} of {:,} hosts".format(len(again), kind, len({a[column] for a in again}), len(gpus)))
            n += 1
    step = {h: sorted(b - a for a, b in zip(g.time, g.time[1:]))[(len(g.time) - 2) // 2] if len(g.time) > 1 else 0 for h, g in kept.items()}
    outside = sum(not kept[h].time[0] - step[h] <= milliseconds(t) <= kept[h].time[-1] + step[h] for t, h, *_ in marks)
    gaps = sum(b - a > g.longest for g in kept.values() for a, b in zip(g.time, g.time[1:]))
    intervals = sum(len(g.time) - 1 for g in kept.values())
    for count, what, few in ((outside, "starts and stops outside the sampled time", 1), (gaps, "gaps between samples", intervals // 100)):
        if count >= max(few, 1):  # energies bridge a few gaps, and their intervals hold them
            shown.append("{:,} {}".format(count, what))
            n += 1
    answers.hold("data", {"findings": n, "pairs_twice": twice}, shown)

    # Read at its ends: the mean of the samples nearest to both; inside: of all samples from START to STOP.
    both = [(v, (gpus[p[1]].nearest(p[4])[0] + gpus[p[1]].nearest(p[5])[0]) / 2)
            for p, v in ((p, gpus[p[1]].inside(0, p[4], p[5])) for p in tasks) if v is not None]
    inside, ends = (statistics.fmean(b[k] for b in both) for k in (0, 1))
    hidden = 100 * (1 - ends / inside)
    answers.hold("method", {"power_ends_w": ends, "power_inside_w": inside, "hidden_pct": hidden},
                 ["draw %.1f W" % ends, "average %.1f W" % inside, "hides %.0f %% of its power" % hidden])
    others = set(answers.said) - {"gpu"}  # slow.py holds that one to its rule
    check("every sentence was held to the rows", others == answers.looked_at, others ^ answers.looked_at)
    return end()


if __name__ == "__main__":
    sys.exit(main())
