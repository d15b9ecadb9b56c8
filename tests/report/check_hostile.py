"""Looks for hostile names in everything that was made of them: they must be there, and be text.

    check_hostile.py SCRATCH
"""
import csv
import glob
import json
import os
import re
import sys
import unicodedata
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
from check_report import Page, TAGS  # noqa: E402
from make_hostile import NAMES  # noqa: E402

# Without characters that a door shows in another form: line ends, escapes, overrides.
PLAIN = [n for n in NAMES if not re.search(r"[\x00-\x1f\u202a-\u202e\u2066-\u2069]", n)]


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def parsed(path):
    p = Page()
    p.feed(read(path))
    p.close()
    return p


def words_of_svg(path):
    return ["".join(e.itertext()) for e in tree.parse(path).getroot().iter() if e.tag.endswith("}text")]


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def is_shown(text, name):
    """As it is, or cut in the middle. Where gnuplot cannot show a character its typographic sister stands in."""
    text = text.replace("\u2019", "'").replace("\uff1e", ">")
    head, cut, tail = text.partition("\u2026")
    return text == name or (cut and cells(head) >= 4 and name.startswith(head) and name.endswith(tail) and len(text) < len(name))


def main():
    scratch = sys.argv[1]
    os.chdir(scratch)
    for path in sorted(glob.glob("*.html")) + ["hostile-report/index.html"]:
        p = parsed(path)
        check(path + " has only our elements", set(p.tags) <= TAGS, set(p.tags) - TAGS)
        check(path + " handles no event", not [a for a in p.attributes if a[1].startswith("on")])
        check(path + " leads nowhere else", not [l for l in p.links if re.match(r"\s*(javascript|https?):", l[1])])
        check(path + " closes its tags", not p.bad and not p.stack)
    for name in PLAIN:
        check("the page shows " + repr(name), name in parsed("hostile-report/index.html").words)
        check("the events in HTML show " + repr(name), name in parsed("events.html").words)

    for name in ("events.svg", "hostile-report/figure-1.svg"):
        texts = words_of_svg(name)
        for wanted in PLAIN:
            check("%s shows %r" % (name, wanted), any(is_shown(t, wanted) for t in texts), texts[:30])

    for path in sorted(glob.glob("*.json")):
        json.loads(read(path))
    shown = {r["event"] for r in json.loads(read("events.json"))["rows"]}
    check("JSON keeps every name as it is", shown == set(NAMES), shown ^ set(NAMES))
    with open("events.csv", encoding="utf-8", newline="") as f:
        shown = {r[0] for r in list(csv.reader(f))[1:]}
    check("CSV keeps every name as it is", shown == set(NAMES), shown ^ set(NAMES))
    for path in sorted(glob.glob("*.tsv")):
        widths = {len(l.split("\t")) for l in read(path).split("\n\n")[0].splitlines() if l}
        check(path + " has one width", len(widths) <= 1, widths)
    for path in sorted(glob.glob("*.table")):
        bad = re.findall(r"[\x00-\x09\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", read(path))
        check(path + " sends nothing to the terminal", not bad, bad[:5])
    for path in sorted(glob.glob("*.markdown")) + ["hostile-report/report.md"]:
        text = read(path)
        check(path + " has no markup of its own", not re.search(r"<(?!!--)[a-z/!]", text, re.I), re.findall(r".{20}<[a-z/!].{20}", text)[:2])
        check(path + " has no link but ours", all(re.fullmatch(r"[a-z0-9-]+\.(svg|csv)", l) for l in re.findall(r"(?<!\\)\]\(([^)]*)\)", text)))
        for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
            widths = {len(re.findall(r"(?<!\\)\|", l.replace("\\\\", ""))) for l in block.splitlines()}
            check(path + " has tables of one width", len(widths) == 1, widths)
    for path in sorted(glob.glob("*.svg")):
        root = tree.parse(path).getroot()
        check(path + " runs nothing", not [e.tag for e in root.iter() if "script" in e.tag])
    return end()


if __name__ == "__main__":
    sys.exit(main())
