#!/usr/bin/env python3
"""Counts what keeps C readable, and fails where a count exceeds its ceiling.

  bounds.py [--list|--quiet]    --list names every function and line that is over a goal; --quiet only what got worse

A ceiling at its goal is a rule. One above it holds what was reached: lower it when the count falls, never raise it.
"""
import re
import subprocess
import sys

PARAMETERS, COMPLEXITY = 7, 20
GOALS = {
    # name: (ceiling, goal)
    "ternaries per 1,000 lines": (20, 20),
    "ternaries inside a ternary": (0, 0),
    "functions of more than 7 parameters": (0, 0),
    "functions of a complexity over 20": (0, 0),
    "lines over 100 columns that clang-format may break": (0, 0),
}
FLOORS = {"comment lines in .c, per cent": (8, 8)}


def stripped(text):
    """The text without comments and with empty strings; lines stay where they are."""

    def blank(match):
        token = match.group(0)
        lines = "\n" * token.count("\n")
        return lines if token.startswith("/") else token[0] + token[0] + lines

    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', blank, text, flags=re.S)


def nested(code):
    """Lines of a '?' in the same expression behind another one."""
    depth, line, found = [0], 1, []
    for c in code:
        if c == "\n":
            line += 1
        elif c in "([{":
            depth.append(0)
        elif c in ")]}":
            if len(depth) > 1:
                depth.pop()
            if c == "}":
                depth[-1] = 0
        elif c in ";,":
            depth[-1] = 0
        elif c == "?":
            if depth[-1] > 0:
                found.append(line)
            depth[-1] += 1
    return found


def functions(code):
    """(name, line, number of parameters, cyclomatic complexity) of each function that has a body."""
    head = re.compile(r"^(?!typedef)[A-Za-z_][^;{}=]*?\b(\w+)\(([^;{}]*?)\)\n\{\n(.*?)^\}", re.S | re.M)
    for m in head.finditer(code):
        parameters = [p for p in re.sub(r"\([^()]*\)", "", m.group(2)).split(",") if p.strip() not in ("", "void")]
        body = m.group(3)
        ways = len(re.findall(r"\b(?:if|for|while|case|GS_TRY|GS_THEN|(?:GS_NEW|GS_TAKE)(?:_RAW)?)\b|&&|\|\||\?", body))
        yield m.group(1), code.count("\n", 0, m.start(1)) + 1, len(parameters), 1 + ways


def main():
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "src/*.c", "src/*.h", "include/*.h"],
                           capture_output=True, text=True, check=True).stdout.split()
    code_lines = comment_lines = c_lines = 0
    over = {name: [] for name in GOALS}
    ternaries = 0
    for name in files:
        with open(name, encoding="utf-8") as f:
            text = f.read()
        code = stripped(text)
        full = sum(1 for line in code.split("\n") if line.strip())
        code_lines += full
        ternaries += code.count("?")
        if name.endswith(".c"):
            written = sum(1 for line in text.split("\n") if line.strip())
            comment_lines += written - full
            c_lines += written
        over["ternaries inside a ternary"] += [f"{name}:{line}" for line in nested(code)]
        for function, line, parameters, ways in functions(code):
            if parameters > PARAMETERS:
                over["functions of more than 7 parameters"].append(f"{name}:{line}: {function} ({parameters})")
            if ways > COMPLEXITY:
                over["functions of a complexity over 20"].append(f"{name}:{line}: {function} ({ways})")
        free = True
        for number, line in enumerate(text.split("\n"), 1):
            free = (free or "clang-format on" in line) and "clang-format off" not in line
            if free and len(line) > 100 and "*/" not in line and not line.lstrip().startswith(("*", "/*", '"')):
                over["lines over 100 columns that clang-format may break"].append(f"{name}:{number}")
    counts = {name: len(places) for name, places in over.items()}
    counts["ternaries per 1,000 lines"] = 1000 * ternaries / code_lines
    share = 100 * comment_lines / c_lines
    bad = []
    quiet = "--quiet" in sys.argv
    for name, (ceiling, goal) in GOALS.items():
        if not quiet or counts[name] > ceiling:
            print(f"{name}: {counts[name]:.4g} (at most {ceiling}, goal {goal})")
        if counts[name] > ceiling:
            bad.append(name)
        if "--list" in sys.argv and counts[name] > goal:
            print("".join(f"    {place}\n" for place in over[name]), end="")
    floor, goal = FLOORS["comment lines in .c, per cent"]
    if not quiet or share < floor:
        print(f"comment lines in .c, per cent: {share:.3g} (at least {floor}, goal {goal})")
    if share < floor:
        bad.append("comment lines in .c")
    if not quiet:
        print(f"lines of code: {code_lines}")
    if bad:
        print("worse than it was: " + "; ".join(bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
