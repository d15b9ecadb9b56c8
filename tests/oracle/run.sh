#!/bin/bash
# Holds the program's results to the oracle, number by number.
#   run.sh BUILD
# On data/ the oracle computes afresh, for every join and for options that change what is counted. With
# TERASCOPE=DIR, the unpacked real run, its results are held to expected/terascope-*.csv as well.
set -u
build=$1
program=$build/gpustat
here=tests/oracle
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
export PYTHONDONTWRITEBYTECODE=1

if ! command -v python3 > /dev/null 2>&1; then
    echo "python3 is not installed: nothing was compared"
    echo "0 passed, 1 failed"
    exit 1
fi

count()
{
    local what=$1
    shift
    if "$@" > "$scratch/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what:"
        head -n 20 "$scratch/said" | sed 's/^/    /'
    fi
}

has() { "$program" commands | cut -f 1 | grep -qx "$1"; }

# Every digit is asked of all but energies, which are sums of rounded integers (1e-12 is asked, 1e-14 held).
loose="--loose energy_=64 --loose power_time_=64"

# verify COMMAND DIR OPTION...: exact agreement on one command line.
verify()
{
    local command=$1 dir=$2
    shift 2
    "$program" "$command" "$dir" -q -f csv "$@" > "$scratch/result.csv" || return
    # shellcheck disable=SC2086 # words
    python3 "$here/oracle.py" "$command" "$dir" "$@" --verify "$scratch/result.csv" $loose
}

for command in events zoom join; do
    has "$command" || continue
    for options in "" "--join window" "--join backward" "--join forward" "--ties later" "--tolerance 700ms" \
        "--duplicates drop" "--join window --duplicates drop" "--join window --max-gap 8s"; do
        # shellcheck disable=SC2086 # options are words
        count "$command $options" verify "$command" data $options
    done
done
for command in gpus correlate summary; do
    has "$command" || continue
    count "$command" verify "$command" data
    [ "$command" = summary ] || count "$command --duplicates drop" verify "$command" data --duplicates drop
done
if has forest; then
    count "forest" python3 "$here/forest.py" "$program" data/operations.csv --trees 60
    count "forest --derived no" python3 "$here/forest.py" "$program" data/operations.csv --trees 30 --derived no --seed 7
    # OPERATIONS=DIR: the study's two files, which are not for redistribution, with the errors promised for them.
    for file in ${OPERATIONS:+"$OPERATIONS"/operations-*.csv}; do
        count "forest ${file##*/}" python3 "$here/forest.py" "$program" "$file" --median-time 14 --median-power 4
        count "intervals of ${file##*/}" python3 "$here/forest_interval.py" "$program" "$file"
    done
fi
if has sweep; then
    # The shared real logs and tables are compared too where they are; what is left out is said.
    count "the other studies" python3 "$here/studies.py" "$program"
    grep -h skipped "$scratch/said"
fi
count "energy and its interval" python3 "$here/energy.py" "$program"
grep -h skipped "$scratch/said"
# CELLS=all asks for every run of every cell.
count "intervals against the truth of simulated GPUs" python3 "$here/cells.py" "$program"
count "foreign forms" python3 "$here/forms.py" "$program"
count "the oracle against bare definitions" python3 "$here/test_oracle.py" 1
# DOORS=500 asks for all of the random runs that hold.
has jobs && count "one energy by every door" python3 "$here/doors.py" "$program" 1
has stragglers && count "the analyses of a run against bare definitions" python3 "$here/run_analyses.py" "$program" 1 24
has report && count "kinds of runs" python3 "$here/kinds.py" "$program" ../shared/data
has jobs && count "jobs on simulated sites" python3 "$here/jobs.py" "$program"
has stragglers && count "which GPU is slow, on simulated fleets" python3 "$here/verdicts.py" "$program"
count "zones by name against zoneinfo" python3 "$here/zones.py" "$program" 1 12

if [ -n "${TERASCOPE-}" ]; then
    for expected in "$here"/expected/terascope-*.csv; do
        command=${expected##*/terascope-}
        command=${command%.csv}
        options=
        case $command in *-window) options="--join window" command=${command%-window} ;; esac
        has "$command" && [ "$command" != summary ] || continue
        # shellcheck disable=SC2086
        "$program" "$command" "$TERASCOPE" -q -f csv $options > "$scratch/result.csv"
        count "terascope $command $options" cmp "$expected" "$scratch/result.csv"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
