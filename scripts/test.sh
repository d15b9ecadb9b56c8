#!/bin/bash
# Runs suites of tests and adds up what they say.
#   test.sh BUILD SUITE...
# A suite is a command whose last line is "N passed, N failed"; see suite() for where each is. What is said
# is kept in BUILD/results. With TALLY set, each suite's count is appended to that file too. With AT_ONCE=N up
# to N suites run side by side; they are told in the order given all the same.
set -u
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
results=$build/results
mkdir -p "$results"
passed=0 failed=0 status=0

# What matters while typing: no test that draws thousands of random runs, and the commands on data/.
quick()
{
    local programs cases unit cli
    mapfile -t programs < <(printf '%s\n' "$build"/tests/unit/test_* |
        grep -vE '\.d$|_(scan|host_rows|pairs|gnuplot|folds|sensor|fleets|many_files|split|decimal|render_exact)$')
    mapfile -t cases < <(cd tests/cli/cases && printf '%s\n' *.cmd | sed 's|\.cmd$||' |
        grep -E '^(events|zoom|gpus|join|check|summary|map|step|bias|balance)' | head -n 30)
    unit=$("$here/run-programs.sh" "${programs[@]}")
    cli=$(tests/cli/run.sh "$build/gpustat" "${cases[@]}")
    printf '%s\n%s\n' "$unit" "$cli" | grep -v ' 0 failed$'
    printf '%s\n%s\n' "$unit" "$cli" | awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
        END { printf "%d passed, %d failed\n", p, f; exit f > 0 }'
}

suite()
{
    case $1 in
    unit) "$here/run-programs.sh" "$build"/tests/unit/test_* ;;
    quick) quick ;;
    gsl) "$here/run-programs.sh" "$build"/tests/oracle/gsl_* ;;
    fuzz-replay) "$here/fuzz.sh" "$build" replay ;;
    layers) "$here/check-layers.sh" "$build" ;;
    contract) tests/cli/contract.sh "$build/gpustat" ;;
    cli) tests/cli/run.sh "$build/gpustat" ;;
    shards) tests/cli/shards.sh "$build/gpustat" ;;
    docs) tests/cli/docs.sh "$build" ;;
    slurm) tests/cli/slurm.sh "$build/gpustat" ;;
    guard) tests/bench/guard.sh "$build" ;;
    *) "tests/$1/run.sh" "$build" ;;
    esac
}

# Leaves what the suite said in NAME.log, its exit status and seconds in NAME.code.
run()
{
    local start=$SECONDS
    suite "$1" > "$results/$1.log" 2>&1
    echo "$? $((SECONDS - start))" > "$results/$1.code"
}

rm -f "$results"/*.code
running=0
for name in "$@"; do
    if [ "$running" -ge "${AT_ONCE:-1}" ]; then
        wait -n
        running=$((running - 1))
    fi
    run "$name" < /dev/null &
    running=$((running + 1))
done
wait

for name in "$@"; do
    read -r code seconds < "$results/$name.code"
    last=$(tail -n 1 "$results/$name.log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
        # A suite that fails in another way than by a test counts as one failure.
        [ "$code" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    else
        p=0 f=1
    fi
    if [ "$f" -gt 0 ]; then
        sed 's/^/    /' "$results/$name.log" | tail -n 60
        status=1
    fi
    printf '%-12s %5d passed, %d failed (%d s)\n' "$name" "$p" "$f" "$seconds"
    passed=$((passed + p)) failed=$((failed + f))
    [ -z "${TALLY-}" ] || echo "$p $f $name" >> "$TALLY"
done
echo "$passed passed, $failed failed"
exit $status
