#!/bin/bash
# Holds the program's results to the oracle, number by number.
#   run.sh BUILD
# On data/ the oracle computes afresh, for every join and for options that change what is counted. With
# TERASCOPE=DIR, the unpacked real run, its results are held to expected/terascope-*.csv as well.
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
build=$1
program=$build/gpustat
here=tests/oracle
command -v python3 > /dev/null 2>&1 || give_up 1 "python3 is not installed: nothing was compared"

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
        check "$command $options" verify "$command" data $options
    done
done
for command in gpus correlate summary; do
    has "$command" || continue
    check "$command" verify "$command" data
    [ "$command" = summary ] || check "$command --duplicates drop" verify "$command" data --duplicates drop
done
if has forest; then
    check "forest" python3 "$here/forest.py" "$program" data/operations.csv --trees 60
    check "forest --derived no" python3 "$here/forest.py" "$program" data/operations.csv --trees 30 --derived no --seed 7
    # OPERATIONS=DIR: the study's two files, which are not for redistribution, with the errors promised for them.
    for file in ${OPERATIONS:+"$OPERATIONS"/operations-*.csv}; do
        check "forest ${file##*/}" python3 "$here/forest.py" "$program" "$file" --median-time 14 --median-power 4
        check "intervals of ${file##*/}" python3 "$here/forest_interval.py" "$program" "$file"
    done
fi
if has sweep; then
    # The shared real logs and tables are compared too where they are; what is left out is said.
    check "the other studies" python3 "$here/studies.py" "$program"
    grep -h skipped "$scratch/said"
fi
check "energy and its interval" python3 "$here/energy.py" "$program"
grep -h skipped "$scratch/said"
# CELLS=all asks for every run of every cell.
check "intervals against the truth of simulated GPUs" python3 "$here/cells.py" "$program"
check "idle time by power alone" python3 "$here/idle.py" "$program"
check "parts of a run's time against the whole" python3 "$here/ranges.py" "$program"
check "energies against the counter of an H100" python3 "$here/h100.py" "$program"
check "foreign forms" python3 "$here/forms.py" "$program"
check "logs as strangers' scripts write them" python3 "$here/writers.py" "$program"
check "the oracle against bare definitions" python3 "$here/test_oracle.py" 1
# DOORS=500 asks for all of the random runs that hold.
has jobs && check "one energy by every door" python3 "$here/doors.py" "$program" 1
has stragglers && check "the analyses of a run against bare definitions" python3 "$here/run_analyses.py" "$program" 1 24
has report && check "kinds of runs" python3 "$here/kinds.py" "$program" ../shared/data
has jobs && check "jobs on simulated sites" python3 "$here/jobs.py" "$program"
has stragglers && check "which GPU is slow, on simulated fleets" python3 "$here/verdicts.py" "$program"
check "zones by name against zoneinfo" python3 "$here/zones.py" "$program" 1 12

if [ -n "${TERASCOPE-}" ]; then
    for expected in "$here"/expected/terascope-*.csv; do
        command=${expected##*/terascope-}
        command=${command%.csv}
        options=
        case $command in *-window) options="--join window" command=${command%-window} ;; esac
        has "$command" && [ "$command" != summary ] || continue
        # shellcheck disable=SC2086
        "$program" "$command" "$TERASCOPE" -q -f csv $options > "$scratch/result.csv"
        check "terascope $command $options" cmp "$expected" "$scratch/result.csv"
    done
fi
tally
