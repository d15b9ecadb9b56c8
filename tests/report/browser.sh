#!/bin/bash
# Opens the report of data/, one of its samples alone, one of hostile names and, with TERASCOPE=DIR, one of the real run in a browser.
#   browser.sh BUILD
# The screenshots stay in BUILD/browser, to be looked at.
set -u
build=$1
here=tests/report
program=$build/gpustat
pictures=$build/browser
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$pictures"
mkdir -p "$pictures/h"
python3 "$here/make_hostile.py" "$pictures/h"
names="data alone hostile"
"$program" report data/ -q -o "$pictures/data" --note "Simulated data, see data/README.md." > /dev/null &&
    "$program" report data/gpu.csv -q -o "$pictures/alone" > /dev/null &&
    "$program" report "$pictures/h" -q -o "$pictures/hostile" > /dev/null || exit 1
if [ -n "${TERASCOPE-}" ]; then
    "$program" report "$TERASCOPE" -q -o "$pictures/terascope" > /dev/null || exit 1
    names="$names terascope"
fi
# shellcheck disable=SC2086 # words
python3 "$here/browser.py" "$pictures" $names > "$pictures/said" 2>&1
code=$?
cat "$pictures/said"
[ "$code" -eq 0 ] && tail -n 1 "$pictures/said" | grep -q ' 0 failed$'
