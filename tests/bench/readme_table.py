#!/usr/bin/env python3
"""Writes the newest result of tests/bench/results into the guide scale.md, between its two markers.

    readme_table.py [--check]     --check writes nothing and fails where the guide is not up to date
"""
import glob
import json
import os
import sys

sys.dont_write_bytecode = True
import bench_report  # noqa: E402

README = os.path.join(bench_report.HERE, "..", "..", "src", "app", "cli", "guides", "scale.md")
BEGIN, END = "<!-- bench: written by tests/bench/readme_table.py -->", "<!-- bench: end -->"
SHOWN = (("events", "events"), ("gpus", "gpus"), ("all four commands", "all four"))


def newest():
    """The newest report that has the comparison with the peers, and its name."""
    for path in sorted(glob.glob(os.path.join(bench_report.RESULTS, "*.json")), reverse=True):
        with open(path) as f:
            report = json.load(f)
        if any(r["case"] == "events" for r in report.get("results", [])):  # scale-*.json has none
            return report, os.path.splitext(os.path.basename(path))[0]
    sys.exit("readme_table.py: no result with `events` in tests/bench/results")


def render(report, name):
    by = {r["case"]: r for r in report["results"]}
    cases = [(case, title) for case, title in SHOWN if case in by]
    m = report["machine"]
    events = by["events"]
    who = sorted((c["name"] for c in events["contestants"]), key=lambda n: bench_report.median(events, n))
    lines = []
    for n in who:
        cells = ["%s" % ("**gpustat**" if n == "gpustat" else n)]
        for case, _ in cases:
            wall = bench_report.median(by[case], n)
            cells += ["%.0f" % wall, "%.0f" % bench_report.peak(by[case], n)] if wall is not None else ["", ""]
        lines.append(cells)
    header = ["whole process"] + [h for _, title in cases for h in ("%s, ms" % title, "MiB")]
    text = ["On %s (%.0f MB of CSV in the page cache), %s with %d cores, medians of %d interleaved rounds after every"
            % (events["data"].split(":")[0], events["bytes"] / 1e6, m["cpu"], m["cores"], events["rounds"]),
            "contestant's numbers were found equal to 1e-9 ([result](tests/bench/results/%s.md);" % name,
            "`make bench` runs it):",
            "", bench_report.markdown_table(header, lines)]
    scaled = [(r["case"].split(" x")[1], bench_report.median(r, "gpustat"), bench_report.peak(r, "gpustat"))
              for r in report["results"] if r["case"].startswith("events x")]
    more = []
    if "all four commands" in by:
        more.append("All four: events, zoom, gpus and correlate; gpustat runs four times for them, the others once.")
    if "events, shuffled rows" in by:
        s = by["events, shuffled rows"]
        own, floor = bench_report.median(s, "gpustat"), bench_report.median(s, "wc -l")
        more.append("With the rows of every file shuffled `events` takes %.0f ms, %.1f times `wc -l`." % (own, own / floor))
    if "report" in by:
        r = by["report"]
        text_of = "The report takes %.0f ms" % bench_report.median(r, "report")
        if bench_report.median(r, "report, before"):
            version = next(c["version"] for c in r["contestants"] if c["name"] == "report, before")
            text_of += ", that of %s %.0f ms" % (version, bench_report.median(r, "report, before"))
        more.append(text_of + ".")
    if scaled:
        more.append("On simulated data: " + ", ".join("x%s %.0f ms and %.0f MiB" % s for s in scaled) + ".")
    if report["note"]:
        more.append(report["note"])
    return "\n".join(text + ([""] + more if more else []))


def main():
    with open(README) as f:
        text = f.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit("readme_table.py: scale.md needs the lines\n%s\n%s\nonce each" % (BEGIN, END))
    head, rest = text.split(BEGIN)
    fresh = head + BEGIN + "\n" + render(*newest()) + "\n" + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        return 0 if fresh == text else 1
    with open(README, "w") as f:
        f.write(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
