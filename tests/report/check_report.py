"""Holds the files of a report to what it promises: whole, self-contained, consistent.

    check_report.py DIR
"""
import csv
import datetime
import html
import html.parser
import json
import os
import re
import struct
import sys
import xml.etree.ElementTree as tree
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
VOID = {"meta", "link", "br", "hr", "img", "input"}
TAGS = set("html head meta link title style body main h1 h2 h3 p nav ol ul br li a section figure figcaption div table caption thead "
           "tbody tr th td span strong code pre details summary footer svg g path use rect circle text tspan defs filter feflood "
           "fecomposite small header image lineargradient stop clippath pattern polygon polyline line".split())


class Page(html.parser.HTMLParser):
    """Elements, ids, links and text of a page; complains about tags left open."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.stack, self.ids, self.links, self.tags, self.attributes, self.bad = [], [], [], [], [], []
        self.figure, self.figures, self.words, self.policy = None, {}, [], ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("href", "xlink:href", "src"):
            if name in given:
                self.links.append((tag, given[name]))
        if tag == "figure":
            self.figure = given.get("id")
            self.figures[self.figure] = {"shown": 0, "labelled": True}
        if tag == "svg" and self.figure:
            known = self.figures[self.figure]
            known["shown"] += 1
            known["labelled"] &= given.get("role") == "img" and bool(given.get("aria-label"))
        if given.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = given["content"]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.bad.append(tag)
        if tag == "figure":
            self.figure = None

    def handle_data(self, data):
        if self.stack and self.stack[-1] != "style":
            self.words.append(data)


def svg(directory, name):
    try:
        root = tree.parse(os.path.join(directory, name)).getroot()
    except tree.ParseError as e:
        check(name + " is XML", False, e)
        return None
    check(name + " is an SVG", root.tag == SVG + "svg")
    drawn = [e for e in root.iter() if e.tag in (SVG + "path", SVG + "use", SVG + "image", SVG + "polygon")]
    check(name + " draws something", len(drawn) > 5 and any(e.tag == SVG + "text" for e in root.iter()))
    check(name + " runs nothing", not [e.tag for e in root.iter() if "script" in e.tag or "foreignObject" in e.tag])
    links = [e.get(LINK) or e.get("href") for e in root.iter() if e.get(LINK) or e.get("href")]
    check(name + " asks for nothing", all(l.startswith(("#", "data:image/png;base64,")) for l in links), links[:3])
    return [float(v) for v in root.get("viewBox").split()][2:]


def png(directory, name, size):
    data = open(os.path.join(directory, name), "rb").read()
    check(name + " begins as a PNG", data[:8] == b"\x89PNG\r\n\x1a\n")
    at, pixels, width, height = 8, b"", 0, 0
    ended = False
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        crc = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        if crc != zlib.crc32(kind + body):
            check(name + " is not damaged", False, kind)
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            pixels += body
        ended |= kind == b"IEND"
        at += 12 + length
    check(name + " is whole", ended and at == len(data))
    check(name + " has two dots for each of the SVG's", [width, height] == [2 * v for v in size], (width, height, size))
    check(name + " is not empty", len(set(zlib.decompress(pixels))) > 8)


def script(directory, name):
    text = open(os.path.join(directory, name), encoding="utf-8").read()
    blocks = re.findall(r"^\$(gs\w+) << END_OF_NUMBERS\n(.*?)^END_OF_NUMBERS\n", text, re.S | re.M)
    check(name + " holds its numbers", len(blocks) > 0)
    lines = [l for _, block in blocks for l in block.splitlines()]
    check(name + " has only numbers among them", all(re.fullmatch(r"([-+0-9.eE]+|NaN| )*", l) for l in lines))


def table(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    check(name + " is a table", len(rows) > 0 and len({len(r) for r in rows}) == 1)


def page(directory, names):
    text = open(os.path.join(directory, "index.html"), encoding="utf-8").read()
    p = Page()
    p.feed(text)
    p.close()
    check("every tag is closed", not p.bad and not p.stack, p.bad + p.stack)
    check("every element is one that we write", set(p.tags) <= TAGS, set(p.tags) - TAGS)
    check("nothing handles an event", not [a for a in p.attributes if a[1].startswith("on")])
    check("no style asks for anything", not re.search(r"url\(\s*['\"]?(?!#)|@import", text.split("</head>")[0]))
    check("no two elements have one id", len(p.ids) == len(set(p.ids)))
    check("the policy forbids scripts and requests", p.policy.startswith("default-src 'none';") and "script" not in p.policy)
    for tag, link in p.links:
        if tag == "link":
            continue
        good = link[1:] in p.ids if link.startswith("#") else link in names or link.startswith("data:image/png;base64,")
        if not good:
            check("a link leads somewhere", False, (tag, link))
    check("links were looked at", len(p.links) > 20)
    drawn = {n[:-4] for n in names if n.endswith(".svg")}
    check("every figure is in the page", drawn == set(p.figures), drawn ^ set(p.figures))
    for name, f in p.figures.items():
        check(name + " is there with a label", f["shown"] > 0 and f["labelled"], f)
    check("it prints and turns dark", "@media print" in text and "prefers-color-scheme: dark" in text)
    check("it says nothing of when it was made", datetime.date.today().isoformat() not in text)
    check("it says nothing of where", "/tmp/" not in text and os.getcwd() not in text)
    return p.ids, [html.unescape(re.sub("</?code>", "", a)).replace("\xa0", " ")
                   for a in re.findall(r'<li id="answer-[a-z]+"><a href="#[a-z0-9-]+">[A-Z][A-Za-z ]+</a> <span>(.*?)</span></li>', text)]


def is_of(value, shape):
    """A type, a tuple of types, a dict of members that must be there, [shape] of every item, {str: shape} of every member."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(is_of(v, shape[0]) for v in value)
    if isinstance(shape, dict) and str in shape:
        return isinstance(value, dict) and all(is_of(v, shape[str]) for v in value.values())
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(k in value and is_of(value[k], s) for k, s in shape.items())
    return isinstance(value, shape) and not isinstance(value, bool) or (shape is bool and isinstance(value, bool))


# gpustat.report/1: members may come, none goes.
NUMBER, MAYBE = (int, float), (str, type(None))
TEXT = [{"warning": bool, "text": str}]
SCHEMA = {"schema": str, "title": str, "verdict": str, "note": MAYBE, "version": str, "run": {str: NUMBER},
          "answers": [{"id": str, "section": str, "text": str, "values": {str: NUMBER}}],
          "sections": [{"id": str, "title": str, "missing": MAYBE, "text": TEXT,
                        "figures": [{"name": str, "title": str, "text": TEXT}], "tables": [{"file": str, "rows": int}]}]}


WORDS = 25  # of a sentence


def sentences(document):
    """All that is said, sentence by sentence; what is said of files and names of data may hold points."""
    text = [a["text"] for a in document["answers"]] + [document["verdict"]]
    for s in document["sections"]:
        text += [p["text"] for p in s["text"]] + [p["text"] for f in s["figures"] for p in f["text"]]
    return [s for t in text for s in re.split(r"(?<=[.!?:;])\s+", t)]


def main():
    directory = sys.argv[1]
    names = sorted(os.listdir(directory))
    sizes = {}
    for name in names:
        if name.endswith(".svg"):
            sizes[name[:-4]] = svg(directory, name)
    for name in names:
        if name.endswith(".png"):
            png(directory, name, sizes[name[:-4]])
        elif name.endswith(".gp"):
            script(directory, name)
        elif name.endswith(".csv"):
            table(directory, name)
    for stem in sizes:
        check(stem + " is there three times", all(stem + s in names for s in (".svg", ".gp", ".csv")))
    pictures = {n[:-4] for n in names if n.endswith(".png")}
    check("there is a PNG of every figure or of none", pictures in (set(), set(sizes)), pictures)
    p_ids, p_answers = page(directory, names)
    document = json.load(open(os.path.join(directory, "report.json"), encoding="utf-8"))
    check("report.json says what it is", document["schema"] == "gpustat.report/1" and is_of(document, SCHEMA))
    check("report.json names files that are there", not [t["file"] for s in document["sections"] for t in s["tables"] if t["file"] not in names]
          and not [f["name"] for s in document["sections"] for f in s["figures"] if f["name"] + ".svg" not in names])
    sections = [s["id"] for s in document["sections"]]
    unasked = {"against"} - set(p_ids)  # another run that was not named is not missed
    check("report.json names its sections", len(sections) == 13 and sorted(set(sections) - unasked) == sorted(i for i in p_ids if i in sections))
    check("a section has something to show or says why not",
          all((s["missing"] is None) == bool(s["figures"] or s["tables"] or s["text"]) for s in document["sections"]),
          [s["id"] for s in document["sections"]])
    check("no figure is empty", not [n for n in names if n.endswith(".gp") and re.search(
        r"^plot NaN notitle$", open(os.path.join(directory, n), encoding="utf-8").read(), re.M)])
    answers = [a["text"] for a in document["answers"]]
    check("there are at most ten sentences", len(answers) <= 10)
    long = [s for s in sentences(document) if len(s.split()) > WORDS]
    check("no sentence is long", not long, long)
    verdict = re.search(r'<p class="verdict">(.*?)</p>', open(os.path.join(directory, "index.html"), encoding="utf-8").read())
    check("the answer in one line comes first", (html.unescape(verdict[1]).replace("\xa0", " ") if verdict else "") == document["verdict"])
    check("the page begins with the answer", answers == p_answers, (answers, p_answers))
    check("the answers point to sections", all(a["section"] in p_ids for a in document["answers"]))
    summary = open(os.path.join(directory, "report.md"), encoding="utf-8").read()
    images = re.findall(r"^!\[[^\]]*\]\(([^)]+)\)$", summary, re.M)
    check("the summary shows every figure", set(images) == {s + ".svg" for s in sizes}, images)
    check("the summary has every sentence", summary.count("\n- ") == len(answers))
    check("the summary is clean", not re.search(r"&#(?!64;|58;)", summary), re.findall(r".{20}&#.{10}", summary)[:3])
    check("names of files are plain", all(re.fullmatch(r"[a-z0-9-]+\.[a-z]+", n) for n in names), names)
    return end()


if __name__ == "__main__":
    sys.exit(main())
