#!/bin/bash
# gpustat slurm on a real Slurm of three nodes on this machine: the bytes of one run, whatever happens to the tasks.
#   slurm.sh PROGRAM
# Needs root and Debian's slurmctld, slurmd, slurm-client, munge; without them it says so and passes nothing.
set -u
# shellcheck source=tests/tally.sh
. "$(dirname "$0")/../tally.sh"
[ "$#" -ge 1 ] || { echo "usage: slurm.sh PROGRAM" >&2; exit 2; }
program=$(realpath "$1")
for tool in munged slurmctld slurmd sbatch; do
    command -v "$tool" > /dev/null && [ "$(id -u)" -eq 0 ] || give_up 0 "no $tool, or not root: Slurm is not tested"
done
trap '"$root"/scripts/slurm-cluster.sh down "$scratch/cluster"; sleep 0.5; rm -rf "$scratch"' EXIT
config=$("$root"/scripts/slurm-cluster.sh up 3 "$scratch/cluster") || exit 1
eval "$config"
mkdir "$scratch/work"
cd "$scratch/work" || exit 1
ln -s "$root/data" data

says() { grep -qF -- "$1" err; }
# slurm CODE ARGUMENT...
slurm()
{
    local expected=$1 code
    shift
    timeout 120 "$program" slurm "$@" > out 2> err
    code=$?
    [ "$code" -eq "$expected" ] || { echo "exit status $code, expected $expected"; false; }
}
nothing_left() { [ -z "$(find . -maxdepth 1 -name 'gpustat-slurm-*')" ]; }

for question in "events data -f csv" "balance data --by gpu -f json" "timeline data --every 1min"; do
    # shellcheck disable=SC2086 # words of our own
    "$program" $question -q > whole
    # shellcheck disable=SC2086
    check "$question: works" slurm 0 --shards 5 -q -- $question
    check "$question: the same bytes" cmp whole out
    check "$question: the folder is gone" nothing_left
done
check "options of output may stand before --" slurm 0 --shards 2 -q -f csv -- events data
"$program" events data -q -f csv > whole
check "... with the same bytes" cmp whole out

check "--keep works" slurm 0 --shards 4 --keep --folder kept -- events data -f csv
rm kept/shard-3.state kept/merged.state
check "what is missing is run again" slurm 0 --shards 4 --keep --folder kept -- events data -f csv
check "... and nothing else" says "1 of 4 shards submitted"
check "... with the same bytes" cmp whole out
check "what is there is not run again" slurm 0 --shards 4 --keep --folder kept -- events data -f csv
check "... at all" eval '! says submitted'

check "--no-wait returns" slurm 0 --shards 3 --no-wait --sbatch "--begin=now+2" -- events data -f csv
check "... with nothing" test ! -s out
check "the result is fetched" slurm 0 --shards 3 --sbatch "--begin=now+2" -- events data -f csv
check "... from the jobs that were submitted" eval '! says submitted'
check "... with the same bytes" cmp whole out

# The cluster takes arrays of up to 8 tasks.
check "more shards than an array may have" slurm 0 --shards 2000 -- events data -f csv
check "... are as many as it may have" says "8 of 8 shards submitted"
check "... with the same bytes" cmp whole out

check "a run that waits" slurm 0 --shards 3 --no-wait --folder waits --sbatch "--begin=now+3600" -- events data -f csv
check "... is in the queue" test -n "$(squeue -h)"
check "another folder's name does not cancel it" slurm 66 --cancel --folder nowhere
check "--cancel needs only the folder" slurm 0 --cancel --folder waits
check "... by its jobs" says "cancelled jobs"
for _ in $(seq 100); do
    [ -n "$(squeue -h)" ] || break
    sleep 0.1
done
check "... of which none is left" test -z "$(squeue -h)"
check "a cancelled run goes on" slurm 0 --shards 3 --folder waits -- events data -f csv
check "... with the same bytes" cmp whole out

# Ctrl-C while sbatch runs, which it does not reach: jobs that no file names could not be taken back.
caught_at()
{
    rm -rf early
    timeout -s INT "$1" "$program" slurm --shards 3 --folder early --sbatch --begin=now+3600 -- events data > out 2>&1
    [ ! -d early ] || "$program" slurm --cancel --folder early 2> err
    for _ in $(seq 100); do
        [ -n "$(squeue -h)" ] || return 0
        sleep 0.1
    done
    squeue -h
    scancel -u root
    false
}
for after in 0.02 0.04 0.06 0.08 0.12; do
    check "Ctrl-C after $after s leaves no job that --cancel misses" caught_at "$after"
done

check "a folder may be named like an option" slurm 0 --shards 3 --folder -F -- events data -f csv
check "... with the same bytes" cmp whole out
check "... or like a pattern of sbatch's" slurm 0 --shards 3 --folder $'a %j "b"\n$(c)' --sbatch --chdir=/ -- events data -f csv
check "... with the same bytes" cmp whole out
check "a shard that an array of the user's leaves out" slurm 75 --shards 3 --folder part --sbatch "-a 1-2" -- events data -f csv
check "... is named" says "shard 3 of 3 has no state"
check "... and no merge of the others is taken for the whole" slurm 0 --shards 3 --folder part -- events data -f csv
check "... as the bytes show" cmp whole out

mkdir broken
cp data/*.csv broken
echo 'no,row' >> broken/gpu.csv
check "bad data exits as the command does" slurm 65 --shards 3 --folder bad -- events broken
check "... and is named" says "expected 8"
check "... with the log" says "see bad/shard-1.log"
check "... and the command can be given again" slurm 65 --shards 3 --folder bad -- events broken

check "a command without shards is refused" slurm 2 -- split data
check "an unknown command is refused" slurm 2 -- evnets data

# A task hangs on a node that is lost; it is run again elsewhere, and the first one comes back later and ends, too.
mkdir large
for table in application-checkpoints gpu task-x-y; do cp data/$table.csv large; done
for _ in $(seq 400); do tail -n +2 data/gpu.csv; done >> large/gpu.csv
"$program" events large -q -f csv > whole
"$program" slurm --shards 6 -q -- events large -f csv > out 2> err &
hung=
for _ in $(seq 600); do
    hung=$(pgrep -f -- '--shard 2/6' | head -n 1)
    [ -z "$hung" ] || break
    sleep 0.02
done
check "a task was caught" kill -STOP "$hung"
node=$(squeue -h -r -t running -o '%K %N' | awk '$1 == 2 { print $2 }')
scontrol update "nodename=$node" state=down reason=test
wait $!
check "a run whose node is lost ends well" test $? -eq 0
check "... with the same bytes" cmp whole out
kill -CONT "$hung" 2> /dev/null
tally
