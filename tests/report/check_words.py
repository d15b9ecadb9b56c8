"""Computes what the words and figures of a report should say from its tables, and looks for it.

    check_words.py DIR
"""
import csv
import html
import math
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
directory = sys.argv[1]


def rows(name):
    with open(os.path.join(directory, name + ".csv"), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def number(text, decimals):
    return "{:,.{}f}".format(float(text), decimals)


def quantity(text, unit, decimals):
    """The number in the multiple of its unit that suits, as the page's sentences have it."""
    value = float(text)
    known = {"W": [(1e4, 1e3, "kW"), (1e7, 1e6, "MW")], "J": [(3.6e3, 3.6e3, "Wh"), (3.6e6, 3.6e6, "kWh"), (3.6e10, 3.6e9, "MWh")],
             "ms": [(1e3, 1e3, "s"), (6e5, 6e4, "min"), (1.08e7, 3.6e6, "h")]}[unit]
    fitting = [m for m in known if abs(value) >= m[0]]
    if not fitting:
        return "%s %s" % (number(value, decimals), unit)
    value /= fitting[-1][1]
    return "%s %s" % (number(value, max(0, 3 - math.floor(math.log10(abs(value))))), fitting[-1][2])


def blocks(name):
    text = open(os.path.join(directory, name + ".gp"), encoding="utf-8").read()
    found = re.findall(r"^\$gs(\d+)_(\d+) << END_OF_NUMBERS\n(.*?)^END_OF_NUMBERS\n", text, re.S | re.M)
    return {(int(p), int(s)): [[float(v) for v in l.split()] for l in b.splitlines() if l.strip()] for p, s, b in found}


def main():
    page = open(os.path.join(directory, "index.html"), encoding="utf-8").read()
    words = html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\xa0", " ")

    events = rows("events")
    for column, most, least, unit in (("power_mean_w", "draws most power on average", "draws least", "W"),
                                      ("temp_mean_c", "is the warmest", "is the coolest", "°C")):
        ordered = sorted(events, key=lambda r: float(r[column]))
        high, low = float(ordered[-1][column]), float(ordered[0][column])
        less = "%.1f %% less" % (100 * (1 - low / high)) if unit == "W" else "%.2f °C less" % (high - low)
        sentence = "%s %s, %s %s; %s %s, %s %s, %s." % (ordered[-1]["event"], most, number(high, 2), unit,
                                                        ordered[0]["event"], least, number(low, 2), unit, less)
        check("events: " + most, sentence in words, sentence)
    ordered = sorted(events, key=lambda r: float(r["duration_mean_ms"]))
    factor = float(ordered[-1]["duration_mean_ms"]) / float(ordered[0]["duration_mean_ms"])
    check("durations", "less by a factor of %s." % number(float("%.3g" % factor), 0) in words)
    check("how many pairs", "Each ran %s times." % number(events[0]["n"], 0) in words)

    for level in rows("zoom"):
        single = int(level["n"]) == 1
        wanted = "evel %s%s" % (level["level"], " has a single record" if single else " " + number(level["n"], 0))
        check("records of level " + level["level"], wanted in words, wanted)
    slow = max(rows("zoom"), key=lambda r: float(r["duration_mean_ms"]))
    check("the slowest level", "takes longest at level %s, %s" % (slow["level"], quantity(slow["duration_mean_ms"], "ms", 0)) in words)

    names = ["Power", "Temperature", "GPU utilisation", "Memory utilisation"]
    for name, r in zip(names, rows("correlate")):
        value = float(r["pearson_r"])
        size = abs(value)
        strength = ("very strong" if size >= 0.9 else "strong" if size >= 0.7 else "moderate" if size >= 0.5
                    else "weak" if size >= 0.3 else "very weak")
        wanted = "%s and task time: a %s %s correlation, r = %.3f (95 %% interval %.3f to %.3f, n = %s)" % (
            name, strength, "negative" if value < 0 else "positive", value, float(r["pearson_ci_low"]),
            float(r["pearson_ci_high"]), number(r["n"], 0))
        check("correlation of " + name, wanted in words, wanted)
        chance = float(r["pearson_ci_low"]) < 0 < float(r["pearson_ci_high"])
        check("chance is said of " + name, (wanted + ". The interval holds 0" in words) == chance)

    for r in rows("bias"):
        if float(r["no_sample_pct"]) > 0:
            check("no sample in " + r["event"], "%.1f %% of %s" % (float(r["no_sample_pct"]), r["event"]) in words)
    most = max((r for r in rows("balance") if r["state"] == "task"), key=lambda r: float(r["energy_j"]))
    check("where the energy went", "Of the events, the largest part is %s, %s" % (most["part"], quantity(most["energy_j"], "J", 0)) in words)
    timeline = rows("timeline")
    peak = max(timeline, key=lambda r: float(r["fleet_power_w"] or 0))
    several_days = timeline[0]["time"][:10] != timeline[-1]["time"][:10]
    when = peak["time"][:19].replace("T", " ") if several_days else peak["time"][11:19]
    check("the peak", "draw most, %s, in the interval from %s." % (quantity(peak["fleet_power_w"], "W", 0), when) in words)
    tiles = rows("figure-tiles-duration")
    slow = max(tiles, key=lambda r: float(r["duration_ms"] or 0))
    check("the slowest tile", "The slowest tile is x %s, y %s (%s)" % (slow["x"], slow["y"], quantity(slow["duration_ms"], "ms", 0)) in words)
    quick = min((r for r in tiles if r["duration_ms"]), key=lambda r: float(r["duration_ms"]))
    again, never = (sum(good(float(r["n"] or 0)) for r in tiles) for good in (lambda n: n > 1, lambda n: n == 0))
    check("the fastest tile", "the fastest x %s, y %s (%s). Tiles rendered more than once: %d; never: %d." % (
        quick["x"], quick["y"], quantity(quick["duration_ms"], "ms", 0), again, never) in words)
    for column, wanted in (("tasks_per_s", "Tasks finish fastest, %.2f a second, in the interval from %s."),
                           ("temp_max_c", "The hottest sample, %.0f \u00b0C, lies in the interval from %s.")):
        most = max(rows("timeline"), key=lambda r: float(r[column] or "-inf"))
        check("the most " + column, wanted % (float(most[column]), most["time"][11:19]) in words)
    idle = max((r for r in rows("balance") if r["state"] == "idle"), key=lambda r: float(r["energy_j"]))
    none = next(r for r in rows("balance") if (r["state"], r["part"]) == ("total", "idle"))
    check("the largest idle part", "Of the idle time, the largest part is %s, %s (%.2f %%)." % (
        idle["part"], quantity(idle["energy_j"], "J", 0), float(idle["energy_pct"])) in words or float(idle["energy_j"]) < 3.6e3)
    check("the idle share", "%.2f %% of it while no event ran." % float(none["energy_pct"]) in words)
    workers = rows("figure-schedule")
    tasks, busy = ([float(r[c]) for r in workers] for c in ("tasks", "busy_pct"))
    check("how the workers were kept busy", "A worker has from %d to %d tasks and is busy from %.2f %% to %.2f %% of the run." % (
        min(tasks), max(tasks), min(busy), max(busy)) in words)
    groups = rows("clusters")
    if len(groups) > 1:
        shown = ["%s at %.1f %% GPU and %.1f %% memory utilisation, median %.1f s" % (
            r["gpus"], float(r["gpu_util_mean_pct"]), float(r["mem_util_mean_pct"]), float(r["task_median_s"])) for r in groups]
        check("the populations", "%d groups of GPUs: %s (silhouette %.2f)." % (len(groups), "; ".join(shown), float(groups[0]["silhouette"])) in words, shown)
        tiled = [sum(r["cluster"] == g["cluster"] for r in rows("figure-tiles-cluster")) for g in groups]
        said = ", ".join("group %s rendered %s tile%s (%.1f %%)" % (g["cluster"], number(n, 0), "s" * (n != 1), 100 * n / sum(tiled))
                         for g, n in zip(groups, tiled) if n)
        check("the tiles of the populations", "G%s." % said[1:] in words, said)
    gpus = [r for r in rows("figure-stragglers") if r["slowdown_pct"]]
    slowest, quickest = (f(gpus, key=lambda r: float(r["slowdown_pct"])) for f in (max, min))
    said = "Their task times differ by %.2f %% to %.2f %% from the median of their group. The slowest is %s" % (float(quickest["slowdown_pct"]), float(slowest["slowdown_pct"]), slowest["hostname"])
    second = slowest["second_slowdown_pct"]
    said += ". It lies between two groups: beside the other its tasks take %.2f %% %s." % (
        abs(float(second)), "less" if float(second) < 0 else "longer") if second else "."
    check("the slowest GPU", said in words, said)
    check("what a cost is", said + " A cost is the extra time of a GPU against its group;" in words)
    inside = rows("bias")
    for column, unit, most, least in (("power_window_w", "W", "draws most", "draws least"), ("gpu_util_window_pct", "%", "keeps the GPUs busiest", "keeps the GPUs least busy")):
        ordered = sorted((r for r in inside if r[column]), key=lambda r: float(r[column]))
        for r, verb in ((ordered[-1], most), (ordered[0], least)):
            said = "%s %s, %.2f %s" % (r["event"], verb, float(r[column]), unit)
            check("inside: " + verb, said in words, said)
    for r in inside:
        none = int(r["n_sampled"]) == 0
        few = not none and int(r["n_sampled"]) < 0.05 * int(r["n"])
        said = "%s has a sample inside only %s of %s events: its bar is an outline." % (r["event"], number(r["n_sampled"], 0), number(r["n"], 0))
        check("few samples inside " + r["event"], (said in words) == few, said)
        said = "%s has no sample inside any of its events, and no bar." % r["event"]
        check("no sample inside " + r["event"], (said in words) == none, said)
        check("there is a bar of " + r["event"], ("'%s'" % r["event"] in open(os.path.join(directory, "figure-1-inside.gp"), encoding="utf-8").read()) == (not none))
    check("what the bias is the mean of", ("not the difference of the two means" in words) == any(float(r["no_sample_pct"]) > 0 for r in inside))
    for r in rows("check"):
        check("a finding is said once: " + r["finding"], words.count(r["hint"]) == 1, words.count(r["hint"]))

    # Tables: the worst row first, the column that the section is about beside the name.
    for table, name, column in (("gpus", "hostname", "task_mean_s"), ("events", "event", "energy_sum_j")):
        shown = re.findall(r'<tr id="%s-(\d+)"><t[hd][^>]*>([^<]*)</t[hd]>' % table, page)
        order = sorted(range(1, 1 + len(rows(table))), key=lambda i: -float(rows(table)[i - 1][column] or "-inf"))
        wanted = [(str(i), rows(table)[i - 1][name]) for i in order]
        whole = len(shown) == len(wanted) or "%d of %s rows, from the greatest" % (len(shown), number(len(wanted), 0)) in words
        check("the worst rows of " + table, len(shown) >= 10 or whole, len(shown))
        check("the order of the rows of " + table, whole and shown == wanted[:len(shown)], (shown[:3], wanted[:3]))
        bars = re.findall(r'<td class="n b" style="--v:(\d+)%">', page.split('id="%s-' % table)[1])
        check("the longest bar is full in " + table, bars[:1] == ["100"], bars)

    hollow = [f for f in ("figure-3", "figure-4") if "fill-opacity" in page.split('<figure id="%s"' % f)[1].split("</figure>")[0]]
    check("a bar of little is hollow on the page, too", len(hollow) == 2, hollow)

    # Bars: in ascending order, each as long as its number.
    for figure, columns in (("figure-1", ["power_mean_w", "temp_mean_c"]), ("figure-2", ["duration_mean_ms"]),
                            ("figure-2-log", ["duration_mean_ms"])):
        for i, column in enumerate(columns):
            drawn = [line[2] for line in blocks(figure)[i + 1, 0]]
            check("%s shows %s" % (figure, column), drawn == sorted((float(r[column]) for r in events), reverse=True), drawn)
    for figure, columns in (("figure-3", ["power_mean_w", "temp_mean_c"]), ("figure-4", ["duration_mean_ms"])):
        for i, column in enumerate(columns):
            # Bars with little behind them stand in a block of their own; the first number is the place.
            found = blocks(figure)
            drawn = [line[2] for line in sorted(found[i + 1, 0] + found.get((i + 1, 1), []))]
            check("%s shows %s" % (figure, column), drawn == [float(r[column]) for r in rows("zoom")], drawn)
        text = open(os.path.join(directory, figure + ".gp"), encoding="utf-8").read()
        for r in rows("zoom"):
            check("%s shows n of level %s" % (figure, r["level"]), "(n = %s)'" % number(r["n"], 0) in text)

    # Figure 5: every GPU is a point of its population, and the line is the least-squares line.
    drawn = blocks("figure-5")
    gpus = rows("figure-5")
    populations = sorted({r["cluster"] for r in gpus if r["cluster"]}, key=int)
    columns = ["power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct"]
    for i, (column, r) in enumerate(zip(columns, rows("correlate"))):
        for s, population in enumerate(populations):
            points = sorted([float(g[column]), float(g["total_render_mean_s"])] for g in gpus if g["cluster"] == population)
            # The clouds are mixed, so that none hides another: the last number of a point is the colour.
            cloud = sorted(point[:2] for point in drawn[i + 1, 0] if point[-1] == s + 1)
            check("figure 5 shows population %s by %s" % (population, column), cloud == points)
            mx, my = (sum(p[k] for p in points) / len(points) for k in (0, 1))
            own = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
            (x0, y0), (x1, y1) = drawn[i + 1, len(populations) + s]
            check("figure 5 has the line of population %s by %s" % (population, column),
                  abs((y1 - y0) / (x1 - x0) - own) < 1e-6 * max(1, abs(own)) and x0 == points[0][0] and x1 == points[-1][0])
        (x0, y0), (x1, y1) = drawn[i + 1, 2 * len(populations)]
        slope = (y1 - y0) / (x1 - x0)
        check("figure 5 has the slope of " + column, abs(slope - float(r["slope"])) < 1e-9 * max(1, abs(slope)), slope)
    return end()


if __name__ == "__main__":
    sys.exit(main())
