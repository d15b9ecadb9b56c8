#!/bin/bash
# Fuzz targets: tests/fuzz/fuzz_NAME.c with the corpus tests/fuzz/corpus/NAME/.
#   fuzz.sh BUILD            fuzzes every target, FUZZ_SECONDS (60) altogether; needs clang
#   fuzz.sh BUILD replay     runs every target over its corpus; a crash is a failure
# The last line is "N passed, N failed": targets fuzzed without a find, or inputs replayed.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$1
passed=0 failed=0

corpus_of()
{
    echo "tests/fuzz/corpus/${1#fuzz_}"
}

if [ "${2-}" = replay ]; then
    for program in "$build"/tests/replay/fuzz_*; do
        [ -x "$program" ] || continue
        name=${program##*/}
        mapfile -t inputs < <(find "$(corpus_of "$name")" -type f 2> /dev/null | LC_ALL=C sort)
        if [ "${#inputs[@]}" -eq 0 ]; then
            echo "$name: no corpus in $(corpus_of "$name")"
            failed=$((failed + 1))
        elif "$program" "${inputs[@]}"; then
            passed=$((passed + ${#inputs[@]}))
        else
            failed=$((failed + 1))
            # Which one it was.
            for input in "${inputs[@]}"; do
                "$program" "$input" > /dev/null 2>&1 || echo "$name: fails on $input"
            done
        fi
    done
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi

fuzz_build=$build/fuzz
make -s BUILD="$fuzz_build" CC=clang \
    CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
    fuzzers || exit 1
targets=("$fuzz_build"/tests/fuzz/fuzz_*)
mapfile -t targets < <(for t in "${targets[@]}"; do [ -x "$t" ] && [[ $t != *.d ]] && echo "$t"; done)
if [ "${#targets[@]}" -eq 0 ]; then
    echo "no fuzz targets"
    echo "0 passed, 0 failed"
    exit 0
fi
seconds=$((${FUZZ_SECONDS-60} / ${#targets[@]}))
[ "$seconds" -ge 2 ] || seconds=2
for target in "${targets[@]}"; do
    name=${target##*/}
    found=$fuzz_build/found/$name new=$fuzz_build/corpus/$name
    mkdir -p "$found" "$new"
    # New inputs go to the build; those worth keeping are copied into the tree by hand.
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$found/" \
        -print_final_stats=1 -print_funcs=0 -entropic=0 "$new" "$(corpus_of "$name")" > "$found/log" 2>&1; then
        passed=$((passed + 1))
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: */ran /p' "$found/log") inputs in $seconds s"
    else
        failed=$((failed + 1))
        echo "$name: failed; the input is in $found"
        tail -n 40 "$found/log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
