#!/bin/bash
# Runs test programs and counts their tests: cmocka's, or one where a program says only by its exit status.
#   run-programs.sh PROGRAM...
# Set UNDER to run them under something ("valgrind -q"). A program that dies counts as one failure.
set -u

passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for program in "$@"; do
    [ -x "$program" ] && [ ! -d "$program" ] || continue
    # shellcheck disable=SC2086 # UNDER is words
    ${UNDER-} "$program" > "$log" 2>&1 < /dev/null
    code=$?
    p=$(grep -c '^\[       OK \]' "$log")
    f=$(grep -c '^\[  FAILED  \] [a-zA-Z_0-9]*$' "$log")
    # cmocka names every failed test twice: as it fails and in its summary.
    f=$(((f + 1) / 2))
    [ "$code" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    # A program that is not of cmocka is one test; one of cmocka that ran none has failed.
    if [ "$code" -eq 0 ] && [ "$p" -eq 0 ]; then
        if grep -q '^\[==========\]' "$log"; then f=1; else p=1; fi
    fi
    printf '%-40s %4d passed, %d failed\n' "${program##*/}" "$p" "$f"
    [ "$f" -eq 0 ] || cat "$log"
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
