#!/bin/bash
# Golden tests of the command line.
#   run.sh PROGRAM [CASE...]        a case may be named by any of its files, as a shell completes it
# A case is tests/cli/cases/NAME.cmd, shell text run in an empty directory where `gpustat` is the program under
# test and data/ is the committed data; beside it NAME.out, NAME.err (expected bytes; no file: nothing) and
# NAME.code (exit status; no file: 0). UPDATE=1 writes what came out instead of comparing: look at the diff.
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
[ "$#" -ge 1 ] || { echo "usage: run.sh PROGRAM [CASE...]" >&2; exit 2; }
program=$(realpath "$1")
shift
cases=$root/tests/cli/cases
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/gpustat"

export PATH="$scratch/bin:$PATH" CASES="$cases"
# Cases see every column and note, so that no number escapes them; those about the defaults unset these.
export GPUSTAT_SHOW=all GPUSTAT_VERBOSE=yes HOME=$scratch

run_case()
{
    local name=$1 dir=$scratch/work code expected differs=0 stream
    rm -rf "$dir"
    mkdir "$dir"
    ln -s "$root/data" "$dir/data"
    # For what hangs; far off, because a machine with other work on it fails no case.
    (cd "$dir" && exec timeout -k 5 "${CASE_SECONDS:-900}" bash "$cases/$name.cmd" > "$scratch/out" 2> "$scratch/err" < /dev/null)
    code=$?
    if [ -n "${UPDATE-}" ]; then
        for stream in out err; do
            rm -f "$cases/$name.$stream"
            [ ! -s "$scratch/$stream" ] || cp "$scratch/$stream" "$cases/$name.$stream"
        done
        rm -f "$cases/$name.code"
        [ "$code" -eq 0 ] || echo "$code" > "$cases/$name.code"
        return
    fi
    expected=$(cat "$cases/$name.code" 2> /dev/null || echo 0)
    if [ "$code" != "$expected" ]; then
        echo "$name: exit status $code, expected $expected"
        differs=1
    fi
    for stream in out err; do
        expected=$cases/$name.$stream
        [ -e "$expected" ] || expected=/dev/null
        if ! cmp -s "$expected" "$scratch/$stream"; then
            echo "$name: std$stream differs:"
            diff -a -u --label expected --label got "$expected" "$scratch/$stream" | head -n 40
            differs=1
        fi
    done
    if [ "$differs" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

if [ "$#" -eq 0 ]; then
    for file in "$cases"/*.cmd; do
        name=${file##*/}
        run_case "${name%.cmd}"
    done
else
    for name in "$@"; do
        name=${name##*/}
        run_case "${name%.[coe]*}"
    done
fi
tally
