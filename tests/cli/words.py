#!/usr/bin/env python3
"""The words of README, guides, help and messages.

    words.py PROGRAM     prints what is wrong, nothing where all is well

Phrases that a stranger had to read twice are gone for good, from texts in the source that no test prints, too; sentences of
README, guides and manuals have at most 25 words; messages that the golden tests hold have at most 160 characters, but for
what is to be typed, and so have notes in the source. Code, tables, lists and names are exempt.
"""
import glob, os, re, subprocess, sys

GONE = ("ran dry|stood idle|is said|are said|without a word|set aside|taken for the task|runs longest and in no other|"
        "so sure|how sure that is|tells? of|nobody says|nobody's|what bounds it|leaves them idlest|"
        "have no instant in common|would lie together|do not say the same of|play no role|are of a clock of its own|"
        "slow for (?:its|their) own population|the nearest takes|deal out|dealt out|hollow|-\\+")
WORDS, CHARACTERS, LIST = 25, 160, 8  # so many commas make a list of things

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..")
program = os.path.abspath(sys.argv[1])


def said(*words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, check=True, text=True).stdout


def complain(place, what, text):
    print("%s: %s: %s" % (place, what, text[:120]))


def look_for_gone(place, text):
    for m in re.finditer(GONE, re.sub(r"\s+", " ", text), re.I):
        complain(place, "gone", m.string[max(0, m.start() - 40):m.end() + 40])


def prose_of(markdown):
    text = re.sub(r"```.*?```", "\n\n", markdown, flags=re.S)
    text = re.sub(r"^[|#<].*$", "", text, flags=re.M)
    text = re.sub(r"`[^`]*`", "NAME", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.split(r"\n\s*\n|\n(?=- )", text)


def literals(source):
    """Each text of a C source with what stands before it; pieces beside one another are one text."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    piece = r'"((?:[^"\\\n]|\\.)*)"'
    for m in re.finditer(piece + r"(?:\s*" + piece + ")*", source):
        yield source[max(0, m.start() - 60):m.start()], "".join(re.findall(piece, m[0]))


manuals = sorted(glob.glob(os.path.join(root, "src/app/commands/manual/*.md")))
for page in [os.path.join(root, "README.md")] + sorted(glob.glob(os.path.join(root, "src/app/cli/guides/*.md"))) + manuals:
    with open(page) as f:
        text = f.read()
    look_for_gone(os.path.basename(page), text)
    for paragraph in prose_of(text.split("## Examples")[0] if page in manuals else text):
        for sentence in re.split(r"(?<=[.!?:;])\s+", re.sub(r"\s+", " ", paragraph)):
            if len(sentence.split()) > WORDS and sentence.count(", ") < LIST:
                complain(os.path.basename(page), "%d words" % len(sentence.split()), sentence)

for page in sorted(glob.glob(os.path.join(root, "src/**/*.c"), recursive=True)):
    with open(page) as f:
        text = f.read()
    for before, literal in literals(text):
        look_for_gone(os.path.basename(page), literal if " " in literal else "")
        if "gs_note(" in before and len(literal) > CHARACTERS:
            complain(os.path.basename(page), "%d characters" % len(literal), literal)

look_for_gone("help", said("help", "-a") + said("help"))
look_for_gone("formats", said("man", "formats"))
for line in said("commands").splitlines():
    look_for_gone("help " + line.split("\t")[0], said("help", line.split("\t")[0]))

for case in sorted(glob.glob(os.path.join(here, "cases", "*.err"))):
    with open(case, errors="replace") as f:
        for line in f:
            m = re.match(r"gpustat: (?:note|warning): (.*)", line)
            if m is None:
                continue
            look_for_gone(os.path.basename(case), m[1])
            text = re.sub(r"(?:type )?--set .*", "", m[1]) if "--set" in m[1] else m[1]
            if len(text) > CHARACTERS and "groups of GPUs" not in text:  # as long as there are groups
                complain(os.path.basename(case), "%d characters" % len(text), text)
