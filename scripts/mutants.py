#!/usr/bin/env python3
"""Do the tests notice a wrong line?

  mutants.py BUILD [--n 100] [--seed 1] [--at FILE:LINE]

A copy of the tree in BUILD/mutants is built; then one operator of one line of src at a time is another (< for <=,
+ for -, && for ||, a condition turned round, a call left out), and the tests run until one fails. A mutant whose
object code is that of the original changes nothing and is not counted. Those that live are listed: each is a line
that no test holds. Takes about a minute each. The last line is "N passed, N failed": killed, alive.
"""
import argparse
import os
import random
import re
import subprocess
import sys

CHANGES = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
           (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* (?=[a-z0-9(])", " + "),
           (r" \+= ", " -= "), (r"\+\+;", "--;"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\b0\b(?=[;)])", "1"),
           (r"if \((?=[^()]*(\([^()]*\)[^()]*)*\)$)", "if (!("), (r"^(\s+)(\w+\([^;]*\);)$", r"\1;")]
LIMIT_S = 900


def run(command, tree):
    try:
        return subprocess.run(command, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return None


def mutants(tree, files, seed):
    """(file, line number, the line as it was, as it is), in an order that the seed decides."""
    places = []
    for name in files:
        with open(os.path.join(tree, name), encoding="utf-8") as f:
            comment = False
            for number, line in enumerate(f.read().split("\n")):
                comment |= line.strip().startswith("/*")
                code = re.sub(r'"(\\.|[^"\\])*"', lambda m: "\0" * len(m.group()), line)
                if not comment and not line.startswith(("#", "static const", "}")):
                    places += [(name, number, line, m.start(), m.end(), m.expand(instead)) for what, instead in CHANGES
                               for m in re.finditer(what, code) if "\0" not in m.group()]
                comment &= "*/" not in line
    random.Random(seed).shuffle(places)
    for name, number, line, start, end, instead in places:
        yield name, number, line, line[:start] + instead + line[end:] + (")" if instead == "if (!(" else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", default="")
    o = parser.parse_args()
    room = os.path.abspath(os.path.join(o.build, "mutants"))
    tree, cc = os.path.join(room, "tree"), os.environ.get("CC", "gcc")
    os.makedirs(tree, exist_ok=True)
    listed = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
    copy = subprocess.run(["tar", "--null", "-T", "-", "-cf", "-"], input=listed, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-xf", "-", "-C", tree], input=copy, check=True)
    files = sorted(name for name in listed.decode().split("\0") if re.fullmatch(r"src/.*\.c", name))
    if o.at:
        files = [o.at.split(":")[0]]
    units = [f"build/tests/unit/{name[:-2]}" for name in sorted(os.listdir("tests/unit")) if re.fullmatch(r"test_.*\.c", name)]
    make = ["make", "-s", f"CC={cc}", "CFLAGS=-O1", "gpustat"] + units
    tests = [["scripts/run-programs.sh"] + units, ["tests/cli/run.sh", "build/gpustat"], ["tests/cli/contract.sh", "build/gpustat"]]
    for command in [make] + tests:
        done = run(command, tree)
        if done is None or done.returncode != 0:
            sys.exit(f"mutants: the tree as it is: {' '.join(command[:2])}: {done and done.stdout.decode()[-2000:]}")
    killed, alive, same, wrong = 0, [], 0, 0
    for name, number, line, changed in mutants(tree, files, o.seed):
        if killed + len(alive) >= o.n:
            break
        if o.at and str(number + 1) != o.at.split(":")[1]:
            continue
        path, obj = os.path.join(tree, name), os.path.join(tree, "build", name[:-2] + ".o")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(obj, "rb") as f:
            before = f.read()
        lines = text.split("\n")
        lines[number] = changed
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        only = run(["make", "-s", f"CC={cc}", "CFLAGS=-O1", obj[len(tree) + 1:]], tree)
        if only is None or only.returncode != 0:
            wrong += 1
        else:
            with open(obj, "rb") as f:
                equal = f.read() == before
            if equal:
                same += 1
            elif run(make, tree).returncode == 0 and all((done := run(t, tree)) is not None and done.returncode == 0 for t in tests):
                alive.append(f"{name}:{number + 1}: {line.strip()}  ->  {changed.strip()}")
                print("alive:", alive[-1], flush=True)
            else:
                killed += 1
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    run(make, tree)
    print(f"{same} change nothing, {wrong} do not compile")
    print(f"{killed} passed, {len(alive)} failed")
    return 1 if 10 * len(alive) > killed + len(alive) else 0


if __name__ == "__main__":
    sys.exit(main())
