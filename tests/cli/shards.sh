#!/bin/bash
# Every command with folds, by shards and in passes: the bytes of the whole run, whatever the parts.
#   shards.sh PROGRAM [DIR]
# DIR is a run (data/ unless named). The last line is "N passed, N failed".
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
export GPUSTAT_VERBOSE=yes
[ "$#" -ge 1 ] || { echo "usage: shards.sh PROGRAM [DIR]" >&2; exit 2; }
program=$(realpath "$1")
run=$(realpath "${2:-$root/data}")
cd "$scratch" || exit 1

# question COMMAND...: the whole run against 1, 2, 7 and 64 shards and against two limits of memory.
question()
{
    local n i answer
    "$program" "$@" "$run" -q -f csv > whole 2> err
    answer=$? # 1: findings
    check "$*: the whole run" test "$answer" -le 1
    for n in 1 2 7 ${SHARDS-64}; do
        rm -f ./*.state
        for i in $(seq "$n"); do
            "$program" "$@" "$run" -q --shard "$i/$n" --partial "$i.state" -j "$((i % 3 + 1))" > out 2> err ||
                check "$*: shard $i/$n" false
        done
        # shellcheck disable=SC2046 # names of our own
        "$program" merge $(printf '%s\n' ./*.state | sort -R --random-source="$program") -q -f csv > merged 2> err
        check "$*: $n shards exit as the whole" test $? -eq "$answer"
        check "$*: $n shards" cmp whole merged
    done
    for i in ${LIMITS-17M 24M}; do
        "$program" "$@" "$run" -q -f csv --max-memory "$i" > merged 2> err
        check "$*: --max-memory $i" cmp whole merged
    done
}

# Runs a command and leaves its peak memory in KiB in `peak`, where that can be told.
measured()
{
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -q -f %M -o peak "$@"
    else
        "$@"
    fi
}

# below_limit MIB: was the peak at most 1.2 times that? A program with a sanitizer takes more than it is asked.
below_limit() { [ "$own_kib" -gt 8192 ] || [ "$(cat peak)" -le "$(($1 * 1024 * 12 / 10))" ]; }

echo 0 > peak
measured "$program" version > out
own_kib=$(cat peak)

# bounded SIZE COMMAND...: the bytes of `whole` within that many MiB; what was said is in `err`.
bounded()
{
    local limit=$1 samples=${samples:-/dev/null}
    shift
    # shellcheck disable=SC2002 # a pipe is what is meant
    cat "$samples" | measured "$program" "$@" "$large" -j 1 -f csv --max-memory "${limit}M" > merged 2> err
    check "$*: --max-memory ${limit}M" cmp whole merged
    check "$*: --max-memory ${limit}M takes $(cat peak) KiB" below_limit "$limit"
}

# passes COMMAND...: the whole run against the limit that a refusal names, and unless `small` says no, against one that
# takes several passes.
passes()
{
    local limit samples=${samples:-/dev/null}
    "$program" "$@" "$large" -q -j 2 -f csv < "$samples" > whole 2> err
    # shellcheck disable=SC2002
    cat "$samples" | "$program" "$@" "$large" -q -j 1 -f csv --max-memory 1M > out 2> err
    limit=$(grep -o 'about [0-9]*M' err | grep -o '[0-9]*')
    check "$*: --max-memory 1M is refused" test ! -s out -a -n "$limit"
    bounded "$limit" "$@"
    case ${small-}$1 in
    gpus | stragglers | no*) return ;; # states of many GPUs fill 12M
    esac
    bounded "${least:-12}" "$@"
    check "$*: ${least:-12}M takes several passes" grep -q "read in .* passes" err
}

says() { [ "$code" -eq "$1" ] && [ ! -s out ] && grep -qF -- "$2" err; }

# refused CODE WORDS ARGUMENT...
refused()
{
    local expected=$1 words=$2
    shift 2
    "$program" "$@" > out 2> err
    code=$?
    check "$* says: $words" says "$expected" "$words"
}

# Those whose table of options has --partial.
for command in $("$program" commands | cut -f 1); do
    "$program" help "$command" | grep -q -- ' --partial' || continue
    [ "$command" != merge ] || continue
    [ "$command" != diff ] || continue # reads two runs: the golden case diff-shards-threads-and-order
    question "$command"
done
question events --join window
question events --event Render
question timeline --every 1min
question schedule --by host
question clusters --by gpu
question stragglers --all
question tiles --value energy
question join --join window
question balance --by gpu
question balance --by level

# One host that is larger than the size: what does not fit waits in a file, or where there can be none is refused.
large=$scratch/large
mkdir "$large" && awk 'BEGIN {
    print "timestamp,hostname,gpuUUID,power,temp,util_gpu"
    for (t = 0; t < 100000; t++)
        for (g = 0; g < 8; g++)
            printf "%d,node,GPU-%d,%d.%d,%d,%d\n", 1700000000 + t, g, 100 + (t + g) % 200, g, 40 + t % 9, t % 100
}' > "$large/gpu.csv" && awk 'BEGIN {
    print "timestamp,hostname,eventName,eventType"
    for (t = 0; t < 90000; t += 3000)
        printf "%d,node,step,START\n%d,node,step,STOP\n", 1700000000 + t, 1700000000 + t + 2500
}' > "$large/events.csv"
for command in gpus power events timeline balance check "events --join window"; do
    # shellcheck disable=SC2086 # words
    "$program" $command "$large" -q -f csv > whole 2> err
    # shellcheck disable=SC2086
    bounded 24 $command
    case $command in
    gpus | power | events*) continue ;; # GPU by GPU it fits
    esac
    check "$command: a host in a file" grep -q "a file in TMPDIR holds what does not fit" err
done
TMPDIR=$scratch/nowhere "$program" timeline "$large" -q --max-memory 24M > out 2> err
code=$?
check "a host that is too large, and no room for a file" says 2 "this run takes about"
rm -r "$large"

# A run whose files are read again and again, by the chunks of the hosts of each pass.
large=$scratch/large
python3 "$root/scripts/simulate.py" --hosts 300 --tasks 12544 --jobs 1 --out "$large" > /dev/null 2>&1
passes events
passes gpus --event Render
passes timeline --event TotalRender
passes zoom
least=13 passes balance --by gpu
passes correlate
passes bias
passes schedule --event TotalRender
passes stragglers --event TotalRender
passes join
passes summary
passes check
passes tiles
passes tiles --value energy
passes tiles --value cluster
mkdir packed
for f in "$large"/*.csv; do gzip -1 < "$f" > "packed/${f##*/}.gz"; done
large=packed passes events
large=$scratch/large
# Rows that are not held: every format that is written row by row, in another order, and where there is no room for them.
for format in csv json table markdown; do
    "$program" join "$large" -q -j 2 -f "$format" > whole
    "$program" join "$large" -q -j 3 -f "$format" --max-memory 12M > merged 2> err
    check "join -f $format: --max-memory 12M" cmp whole merged
done
"$program" join "$large" -q --join window --sort event:desc,energy_j --top 4000 -f csv > whole
"$program" join "$large" -q --join window --sort event:desc,energy_j --top 4000 -f csv --max-memory 12M > merged 2> err
check "join --sort: --max-memory 12M" cmp whole merged
"$program" join "$large" -q --shard 1/3 --partial whole
"$program" join "$large" -q --shard 1/3 --partial merged --max-memory 12M 2> err
check "join --partial: --max-memory 12M" cmp whole merged
"$program" join "$large" -q --shard 1/3 --partial none.state --max-memory 2M 2> err
check "join --partial: 2M leaves no state" test $? -eq 2 -a ! -e none.state
# What is drawn is large: a size that has no room for that is refused before there is a picture, the one named has it.
if command -v gnuplot > /dev/null; then
    refused 2 "this run takes about" join "$large" -q -j 1 --max-memory 12M --plot none.svg -o none.csv
    check "join --plot: 12M leaves no file" test ! -e none.svg -a ! -e none.csv
    limit=$(grep -o 'about [0-9]*M' err | cut -d' ' -f 2)
    "$program" join "$large" -q --plot whole.svg -o whole
    measured "$program" join "$large" -q -j 1 --max-memory "$limit" --plot merged.svg -o merged 2> err
    check "join --plot: --max-memory $limit" cmp whole.svg merged.svg
    check "join --plot: --max-memory $limit takes $(cat peak) KiB" below_limit "${limit%M}"
fi
TMPDIR=$scratch/nowhere refused 74 "temporary file in $scratch/nowhere: No such file" join "$large" -q --max-memory 12M
refused 65 "no event is called 'Nothing'" events "$large" -q --max-memory 9M --event Nothing
mkdir piped && cp "$large"/[at]*.csv piped/ # the samples come through a pipe
piped=$large/gpu.csv
small=no samples=$piped large=piped passes events --gpu -
# No event is called TotalRender: each pass keeps states of several, with rows of their own.
mkdir renamed && cp "$large"/[gt]*.csv renamed/
sed 's/TotalRender/Frame/' "$large/application-checkpoints.csv" > renamed/application-checkpoints.csv
small=no large=renamed passes tiles --value energy
rm -r "$large" packed piped renamed

# What does not belong together.
rm -f ./*.state
events() { "$program" events "$run" -q "$@"; }
events --shard 1/2 --partial 1.state
events --shard 2/2 --partial 2.state
events --shard 2/3 --partial of-three.state
events --shard 2/2 --join window --partial window.state
refused 65 "1 of 2 shards are missing: 2" merge 1.state
refused 65 "holds shard 1 of 2, which 1.state holds, too" merge 1.state 2.state 1.state
refused 65 "of-three.state: is of 3 shards, 1.state of 2" merge 1.state of-three.state
refused 65 "window.state: is a state of 'events --join=window" merge 1.state window.state
head -c 200 1.state > cut.state
refused 65 "cut.state: is damaged or cut" merge cut.state 2.state
refused 65 "gpu.csv: is no partial result" merge "$root/data/gpu.csv"
refused 66 "nothing.state" merge nothing.state
refused 2 "must be I/N" events "$run" --shard 3/2
refused 2 "this run takes about" events "$run" -q --max-memory 2M
# A bound holds while it refuses, too.
mkdir hosts && awk 'BEGIN {
    print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
    for (i = 0; i < 200000; i++)
        printf "2018-11-08T07:48:06.655Z,host%d,%d,GPU-%d,112.2,41,97,57\n", i, i, i
}' > hosts/gpu.csv
"$program" gpus hosts -q > whole
measured "$program" gpus hosts -q --max-memory 64M > out 2> err
check "200,000 hosts: --max-memory 64M is enough" cmp whole out
check "200,000 hosts: --max-memory 64M takes $(cat peak) KiB" below_limit 64
rm -r hosts
# A tree of merges, and the bytes of a state for any number of threads.
for i in 1 2 3 4; do events --shard "$i/4" --partial "$i.state"; done
"$program" merge 4.state 2.state --partial a.state -q
"$program" merge 1.state a.state --partial b.state -q
"$program" merge b.state 3.state -q -f csv > merged 2> err
events -f csv > whole
check "merges of merges" cmp whole merged
events --shard 1/4 --partial again.state -j 3
check "a state does not depend on threads" cmp 1.state again.state
tally
