#!/bin/bash
# Builds with gcov, runs the tests, and says which lines of src none of them ran.
#   coverage.sh BUILD       writes BUILD/coverage/uncovered.txt (FILE:LINE: source) and prints the shares
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$1/coverage
find "$build" -name '*.gcda' -delete 2> /dev/null # before the build: it writes the manual pages, which are tested, too
# A forked child ends by _exit, which writes no counters; exit does.
make -s BUILD="$build" CC=gcc CFLAGS="-O0 -g --coverage -DNDEBUG -D_exit=exit" LDFLAGS=--coverage test-programs || exit 1
scripts/test.sh "$build" unit gsl cli contract docs fuzz-replay oracle report shards slurm || echo "coverage: some tests failed" >&2

rm -rf "$build/gcov"
mkdir -p "$build/gcov"
notes=$(realpath "$build")/src
ln -s "$PWD/src" "$PWD/include" "$build/gcov/" # names in the notes begin at the root of the tree
(cd "$build/gcov" && find "$notes" -name '*.gcno' -exec gcov -b -c -p {} + > /dev/null 2>&1)
# A line of a header stands in the notes of every file that includes it: it counts once, and ran if it ran anywhere.
cat "$build"/gcov/*.gcov | awk -F: '
    $2 + 0 == 0 && $3 == "Source" { file = $4; sub(/^\.\//, "", file); next }
    file !~ /^src\// { next }
    /^branch / {
        place = at ":" ++n
        if (!(place in taken)) { branches++; taken[place] = 0 }
        if (!taken[place] && $0 ~ / taken [1-9]/) { taken[place] = 1; n_taken++ }
        next
    }
    { count = $1; gsub(/[ \t*]/, "", count); line = $2 + 0 }
    count == "-" || line == 0 { next }
    {
        at = file ":" line
        n = 0
        if (!(at in text)) { text[at] = $0; sub(/^[^:]*:[^:]*:/, "", text[at]); total[file]++; all++ }
        if (count !~ /^[#=]/ && !(at in ran)) { ran[at] = 1; hit[file]++; n_ran++ }
    }
    END {
        for (at in text) if (!(at in ran)) print at ":" text[at] | "sort -t: -k1,1 -k2,2n > " uncovered
        for (f in total) printf "%6.1f %%  %5d of %5d  %s\n", 100 * hit[f] / total[f], hit[f], total[f], f | "sort -n"
        close("sort -n")
        printf "%6.2f %%  %d of %d lines of src\n", all ? 100 * n_ran / all : 0, n_ran, all
        printf "%6.2f %%  %d of %d branches\n", branches ? 100 * n_taken / branches : 0, n_taken, branches
    }' uncovered="$build/uncovered.txt"
echo "not run: $build/uncovered.txt ($(wc -l < "$build/uncovered.txt") lines)"
