#!/bin/bash
# Everything that is checked beside the tests: both compilers with warnings as errors, sanitizers, analysers,
# fuzzing, the instruction count. Each step is one line; its output is in BUILD/check. A tool that is not
# installed is named and its step left out. CHECKS names the steps to run ("clang layers"); without it, all.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # a make of its own, not a part of the one that may have called
build=$1
logs=$build/check
mkdir -p "$logs"
passed=0 failed=0

have()
{
    command -v "$1" > /dev/null 2>&1 || { echo "$1 is not installed: its checks are left out"; return 1; }
}

step()
{
    local name=$1 start=$SECONDS code last
    [ -z "${CHECKS-}" ] || [[ " $CHECKS " == *" $name "* ]] || return 0
    shift
    "$@" > "$logs/$name.log" 2>&1 < /dev/null
    code=$?
    last=$(tail -n 1 "$logs/$name.log")
    local p=1 f=0
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    fi
    if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then
        p=0 f=1
    fi
    [ "$f" -eq 0 ] || tail -n 60 "$logs/$name.log" | sed 's/^/    /'
    printf '%-18s %5d passed, %d failed (%d s)\n' "$name" "$p" "$f" $((SECONDS - start))
    passed=$((passed + p)) failed=$((failed + f))
    [ -z "${TALLY-}" ] || echo "$p $f $name" >> "$TALLY"
}

# The tests of a build of their own, not added to the tally a second time.
tests()
{
    local dir=$1
    shift
    TALLY='' scripts/test.sh "$dir" "$@"
}

sanitized()
{
    local dir=$1 flags=$2
    shift 2
    make -s BUILD="$dir" CC=clang CFLAGS="-O1 -g -fno-omit-frame-pointer -Werror $flags" LDFLAGS="$flags" test-programs &&
        SANITIZED=yes tests "$dir" "$@"
}

compiled()
{
    make -s -k BUILD="$build/$1" CC="$2" CFLAGS="$3" objects
}

# A few programs and commands under valgrind: what the sanitizers cannot see, such as uninitialised memory.
memcheck()
{
    local valgrind="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite" p=0 f=0 name
    local programs=()
    for name in options run csv frame table; do
        [ ! -x "$build/tests/unit/test_$name" ] || programs+=("$build/tests/unit/test_$name")
    done
    UNDER=$valgrind scripts/run-programs.sh "${programs[@]}" || f=$((f + 1))
    for name in $("$build/gpustat" commands | cut -f 1); do
        case $name in events | zoom | gpus | correlate | summary) ;; *) continue ;; esac
        if $valgrind "$build/gpustat" "$name" data/ -j 2 > /dev/null; then p=$((p + 1)); else f=$((f + 1)); fi
    done
    echo "$((p + ${#programs[@]})) passed, $f failed"
    [ "$f" -eq 0 ]
}

# A part of what `make torture` does to every command.
tortured()
{
    make -s BUILD="$build" gpustat "$build/tests/torture/shim.so" && tests/torture/torture.py "$build" --sample 4
}

have gcc && step gcc compiled gcc gcc "-O2 -Werror"
if have clang; then
    step clang compiled clang clang "-O2 -Werror"
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS="halt_on_error=1 atexit_sleep_ms=0"
    step asan-ubsan sanitized "$build/asan" "-fsanitize=address,undefined -fno-sanitize-recover=all" unit cli contract report fuzz-replay
    step tsan sanitized "$build/tsan" "-fsanitize=thread" unit cli
fi
have gcc && step analyzer compiled analyzer gcc "-O1 -fanalyzer -Werror"
have chromium && step browser tests/report/browser.sh "$build"
have chromium && step pictures tests/report/pictures.sh "$build"
step terascope tests/oracle/accept_terascope.sh "$build"
have python3 && step diff tests/oracle/diff.py "$build/gpustat"
step layers scripts/check-layers.sh "$build"
step lint scripts/lint.sh "$build"
have sbatch && step slurm tests/cli/slurm.sh "$build/gpustat"
have valgrind && step valgrind memcheck
[ ! -x tests/bench/guard.sh ] || ! have valgrind || step guard tests/bench/guard.sh "$build"
have clang && step fuzz scripts/fuzz.sh "$build"
have python3 && step torture tortured
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
