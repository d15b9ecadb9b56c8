#!/bin/bash
# Holds every command over a run to the real TeraScope set: the oracle's stored results, the study's figures, and the
# same bytes however the set is cut, packed, shuffled or read.
#   accept_terascope.sh BUILD
# TERASCOPE_DIR names the unpacked set; without it, ../shared/data/terascope is unpacked for the time of the run. Where
# neither is there nothing is tested, which is said. SHUFFLED=no leaves the slowest part out. Takes three minutes.
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
[ "$#" -eq 1 ] || { echo "usage: accept_terascope.sh BUILD" >&2; exit 2; }
program=$(realpath "$1")/gpustat
here=$(cd "$(dirname "$0")" && pwd)
packed=$here/../../../shared/data/terascope

data=${TERASCOPE_DIR-}
if [ -z "$data" ] && [ -e "$packed/gpu.csv.xz" ]; then
    data=$scratch/data
    mkdir "$data"
    for file in application-checkpoints gpu task-x-y; do
        xz -dc "$packed/$file.csv.xz" > "$data/$file.csv" &
    done
    wait
fi
[ -n "$data" ] || give_up 0 "the TeraScope set is not here (TERASCOPE_DIR): nothing was tested"

# result NAME ARGUMENT...: the CSV of a command in $scratch/NAME.csv; exit status 1 is check's "something is wrong".
result()
{
    local name=$1
    shift
    "$program" "$@" -q -f csv > "$scratch/$name.csv"
    [ "$?" -le 1 ]
}

compare() { python3 "$here/compare_csv.py" "$here/expected/terascope-$1.csv" "$scratch/$1.csv" "${@:2}"; }
same() { cmp "$scratch/$1.csv" "$scratch/$2.csv"; }

# column FILE NAME: the values of a column, one a line. No field of these files holds a comma.
column()
{
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$scratch/$1.csv"
}

# is WHAT EXPECTED GOT
is()
{
    check "$1 is $2" test "$2" = "$3"
    [ "$2" = "$3" ] || echo "    $3"
}

check "summary runs" result summary summary "$data"
check "summary" compare summary
for command in events zoom gpus correlate; do
    check "$command runs" result $command $command "$data"
    check "$command equals the oracle" compare $command
done
for command in events zoom; do
    check "$command --join window runs" result $command-window $command "$data" --join window
    check "$command --join window equals the oracle" compare $command-window --loose energy_=64
done

# The study's Tables 1 to 3 and Figures 1 to 5.
rounded() { awk -v format="%.$1f" '{ printf((NR > 1 ? " " : "") format, $1) }'; }
is "n of each event" "66040 66040 66040 66040 66040" "$(column events n | xargs)"
is "mean duration of each event" "2 973 1394 41215 42611" "$(column events duration_mean_ms | sort -g | rounded 0)"
is "n of each level" "1 258 65781" "$(column zoom n | xargs)"
is "mean duration of each level" "52182 48498 42588" "$(column zoom duration_mean_ms | rounded 0)"
is "r of each metric" "0.3232 -0.1933 0.8786 0.9427" "$(column correlate pearson_r | rounded 4)"
is "slope of each metric" "0.1922 -0.1580 1.2031 0.7761" "$(column correlate slope | rounded 4)"
for pair in hostnames:1024 gpu_serials:1024 gpu_uuids:1024 event_names:5 job_ids:3 task_ids:65793 levels:3 pairs:330200 \
    total_render_pairs:66040 checkpoint_duplicate_rows:2470; do
    is "summary's ${pair%:*}" "${pair#*:}" "$(awk -F, -v q="${pair%:*}" '$1 == q { print $2 }' "$scratch/summary.csv")"
done

# The join is the table behind the others.
check "join runs" result join join "$data"
is "rows of join" 330200 "$(($(wc -l < "$scratch/join.csv") - 1))"
is "rows of join by event" "66040 66040 66040 66040 66040" "$(column join event | sort | uniq -c | awk '{ print $1 }' | xargs)"
is "order of join" "ordered" "$(awk -F, 'NR > 1 { print $1 "," $11 "," $8 "," $9 "," $10 "," $12 }' "$scratch/join.csv" |
    sort -c -t, -k1,1 -k2,2 -k3,3 -k4,4 -k5,5 -k6,6 && echo ordered)"
is "total of join's durations" "$(awk -F, 'NR > 1 { t += $2 * $3 } END { printf "%.0f", t }' "$scratch/events.csv")" \
    "$(awk -F, 'NR > 1 { t += $13 } END { printf "%.0f", t }' "$scratch/join.csv")"

# The report says and draws the same, within five seconds, and the same twice.
if command -v gnuplot > /dev/null; then
    report=$here/../report
    # On a machine that is busy with something else the clock says nothing about the report: then what two cores would
    # take counts.
    TIMEFORMAT='%R %U %S'
    { time check "report runs" result report report "$data" -o "$scratch/report" 2>&3; } 3>&2 2> "$scratch/took"
    check "report takes less than 5 s: $(cat "$scratch/took") (wall, user, system)" \
        awk '{ exit !($1 < 5 || ($2 + $3) / 2 < 4) }' "$scratch/took"
    check "report runs again" result again report "$data" -o "$scratch/again" -j 1
    check "report gives the same bytes" diff -r "$scratch/report" "$scratch/again"
    check "report's files are whole" python3 "$report/check_report.py" "$scratch/report"
    is "failures among report's files" 0 "$(tail -n 1 "$scratch/said" | sed 's/.*, //; s/ failed//')"
    check "report's words are right" python3 "$report/check_words.py" "$scratch/report"
    is "failures among report's words" 0 "$(tail -n 1 "$scratch/said" | sed 's/.*, //; s/ failed//')"
    check "report's answer is that of the rows" python3 "$here/report.py" "$data" "$scratch/report"
    is "Figure 1's order, largest first" "Tiling,Uploading,Render,TotalRender,Saving Config" \
        "$(sed -n "/^set ytics scale 0/{s/[^']*'\([^']*\)' [0-9][,)]/\1,/gp;q}" "$scratch/report/figure-1.gp" | sed 's/,$//')"
fi

# What check finds is what others counted in the files.
check "check runs" result check check "$data" --duplicates keep
is "duplicates that check counts" "2470 9" "$(awk -F, '/^warning,duplicate/ { print $3 }' "$scratch/check.csv" | xargs)"
is "tiles that check counts" "1 256 65536" "$(awk -F, '/^info,tiles of level/ { print $3 }' "$scratch/check.csv" | xargs)"
is "errors that check finds" 0 "$(grep -c '^error' "$scratch/check.csv")"

# The same bytes for any number of threads, any order of the rows, any packing, any cut.
for threads in 1 2 7; do
    check "events -j $threads runs" result other events "$data" -j $threads
    check "events -j $threads gives the same bytes" same events other
    check "check -j $threads runs" result other check "$data" --duplicates keep -j $threads
    check "check -j $threads gives the same bytes" same check other
done
check "join -j 1 runs" result other join "$data" -j 1
check "join -j 1 gives the same bytes" same join other

mkdir "$scratch/shards" "$scratch/packed"
for table in application-checkpoints gpu task-x-y; do
    header=$(head -n 1 "$data/$table.csv")
    (cd "$scratch/shards" && tail -n +2 "$data/$table.csv" | split -d -a 1 -n r/5 --filter="(printf '%s\n' '$header'; cat) > $table-\${FILE#x}.csv")
done
check "events of five shards runs" result other events "$scratch/shards"
check "events of five shards gives the same bytes" same events other
check "zoom of five shards runs" result other zoom "$scratch/shards"
check "zoom of five shards gives the same bytes" same zoom other
gzip -1 < "$data/application-checkpoints.csv" > "$scratch/packed/application-checkpoints.csv.gz" &
if command -v zstd > /dev/null; then
    zstd -q -1 < "$data/gpu.csv" > "$scratch/packed/gpu.csv.zst"
else
    gzip -1 < "$data/gpu.csv" > "$scratch/packed/gpu.csv.gz"
fi
xz -0 < "$data/task-x-y.csv" > "$scratch/packed/task-x-y.csv.xz"
wait
check "events of packed files runs" result other events "$scratch/packed"
check "events of packed files gives the same bytes" same events other
if [ "${SHUFFLED-}" != no ]; then
    rm -rf "$scratch/shards" "$scratch/packed"
    mkdir "$scratch/shuffled"
    for table in application-checkpoints gpu task-x-y; do
        (head -n 1 "$data/$table.csv" && tail -n +2 "$data/$table.csv" | shuf --random-source=<(yes 2018)) > "$scratch/shuffled/$table.csv" &
    done
    wait
    for command in events zoom gpus join; do
        check "$command of shuffled rows runs" result other $command "$scratch/shuffled"
        check "$command of shuffled rows gives the same bytes" same $command other
    done
fi
# Window join, energy, balance, populations: another analyst's means, an exact trapezoid, closing to the microjoule.
if [ -e "$packed/window-means.csv" ]; then
    check "the analyses of the run" python3 "$here/accept_analyses.py" "$program" "$data" "$packed/window-means.csv"
fi
# Sixteen hosts against sixteen others, nothing changed: at most 6.5 % false alarms in any row.
check "400 draws of diff" python3 "$here/diff_draws.py" "$program" "$data"
tally
