#!/usr/bin/env python3
"""The words of README, guides, help and messages.

    words.py PROGRAM     prints what is wrong and fails, nothing where all is well

Phrases that a stranger had to read twice are gone for good, from texts in the source that no test prints, too; sentences of
README, guides, manuals, help and messages have at most 25 words; sentences of messages that the golden tests hold, errors too,
have at most 160 characters, and so have notes in the source. What is to be typed, quoted data, times, code and tables do not count;
names that stand in a row are one name.
"""
import glob, os, re, subprocess, sys

GONE = ("ran dry|stood idle|is said|are said|without a word|set aside|taken for the task|runs longest and in no other|"
        "so sure|how sure that is|tells? of|nobody says|nobody's|what bounds it|leaves them idlest|"
        "have no instant in common|would lie together|do not say the same of|play no role|are of a clock of its own|"
        "slow for (?:its|their) own population|the nearest takes|deal out|dealt out|hollow|-\\+")
WORDS, CHARACTERS = 25, 160
NAMES = r"(?:there are|found|cards:|samples have|samples name|they name|names? are|not from|and not|not used:|expected) [^;]*"

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..")
program = os.path.abspath(sys.argv[1])


def said(*words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, check=True, text=True).stdout


complaints = 0


def complain(place, what, text):
    global complaints
    complaints += 1
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


def count_words(place, paragraph):
    """Sentences end where a part between colons or semicolons ends, too; names in a row are one."""
    text = re.sub(r"NAME(?:,? (?:and |or )?NAME)+", "NAME", re.sub(r"\s+", " ", paragraph))
    for sentence in re.split(r"(?<=[.!?:;])\s+", text):
        if len(sentence.split()) > WORDS:
            complain(place, "%d words" % len(sentence.split()), sentence)


def message_of(line):
    """What a message says, without names, data and what is to be typed; None where the line is none."""
    m = re.match(r"(?:\d+ )?gpustat: (?:note: |warning: )?(.*)", re.sub(r"\x1b\[[0-9;]*m", "", line))
    if m is None:
        return None
    text = re.sub(r"--(?:set|columns|tz|card) (?:'[^']*'|\S+)", "NAME", m[1])
    text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)?|'[^']*'|\b[0-9A-Za-z]{24,}\b", "NAME", text)
    return re.sub(NAMES, "NAME", text)


def literals(source):
    """Each text of a C source with what stands before it; pieces beside one another are one text."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    piece = r'"((?:[^"\\\n]|\\.)*)"'
    for m in re.finditer(piece + r"(?:\s*" + piece + ")*", source):
        yield source[max(0, m.start() - 60):m.start()], "".join(re.findall(piece, m[0]))


manuals = sorted(glob.glob(os.path.join(root, "src/app/commands/manual/*.md")))
texts = sorted(glob.glob(os.path.join(root, "src/app/cli/guides/*.md")) + glob.glob(os.path.join(root, "src/app/cli/texts/*.*")))
for page in [os.path.join(root, "README.md")] + texts + manuals:
    with open(page) as f:
        text = f.read()
    look_for_gone(os.path.basename(page), text)
    for paragraph in prose_of(text.split("## Examples")[0] if page in manuals else text):
        count_words(os.path.basename(page), paragraph)

for page in sorted(glob.glob(os.path.join(root, "src/**/*.c"), recursive=True)):
    with open(page) as f:
        text = f.read()
    for before, literal in literals(text):
        look_for_gone(os.path.basename(page), literal if " " in literal else "")
        literal = re.sub(r"(?:\\x[0-9a-f]{2})+", "_", literal)
        if "gs_note(" in before and len(literal) > CHARACTERS:
            complain(os.path.basename(page), "%d characters" % len(literal), literal)

pages = {"help": said("help", "-a") + said("help"), "formats": said("help", "formats")}
for line in said("commands").splitlines():
    pages["help " + line.split("\t")[0]] = said("help", line.split("\t")[0])
for name, text in pages.items():
    look_for_gone(name, text)
    for paragraph in re.split(r"\n\s*\n|\n(?= {2,6}-| {2,4}\w)", text.split("Examples:")[0]):  # an option or a command each
        count_words(name, re.sub(r"^\s*(?:-\w, )?(?:--\S+|\w+ {2,})", "", paragraph))

for case in sorted(glob.glob(os.path.join(here, "cases", "*.err")) + glob.glob(os.path.join(here, "cases", "*.out"))):
    with open(case, errors="replace") as f:
        for line in f:
            text = message_of(line)
            if text is None:
                continue
            name = os.path.basename(case)
            look_for_gone(name, text)
            count_words(name, text)
            for sentence in text.split(". "):
                if len(sentence) > CHARACTERS:
                    complain(name, "%d characters" % len(sentence), sentence)
sys.exit(complaints > 0)
