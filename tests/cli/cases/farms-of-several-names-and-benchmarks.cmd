# Tasks of several names that follow one another on two workers are one farm; events that run several times are compared in the
# headline; what one worker does in turn under names of its own is no training.
mkdir farm bench turn both
for t in $(seq 0 4 200); do for gpu in 0 1; do
    printf '%s,n1,%s,%s,90\n' $((1714564800 + t)) "$gpu" $((200 + 50 * gpu + t % 7))
done; done > rows
for run in farm bench turn both; do { echo timestamp,host,gpu,power_w,gpu_util; cat rows; } > $run/gpu.csv; done
span() { echo "$1,$2,$((1714564800 + $3)),$((1714564800 + $4))"; }
{
    echo name,gpu,start,stop
    for i in 0 1 2 3 4 5; do
        span dock 0 $((30 * i)) $((30 * i + 20)); span fold 0 $((30 * i + 20)) $((30 * i + 30))
        span fold 1 $((30 * i + 7)) $((30 * i + 20)); span dock 1 $((30 * i + 20)) $((30 * i + 35))
    done
} > farm/tasks.csv
{
    echo benchmark,gpu,start,stop
    for i in 0 1 2; do
        span fp32 0 $((60 * i)) $((60 * i + 30)); span fp16 0 $((60 * i + 30)) $((60 * i + 48)); span int8 0 $((60 * i + 48)) $((60 * i + 58))
    done
} > bench/runs.csv
{ echo name,gpu,start,stop; for i in $(seq 10 21); do span protein_"$i"_fold 0 $((15 * i - 150)) $((15 * i - 136)); done; } > turn/tasks.csv
# Two workers at once do so in step.
{ cat turn/tasks.csv; sed -n '2,$s/,0,/,1,/p' turn/tasks.csv; } > both/tasks.csv
for run in farm bench turn both; do
    gpustat report $run -o out -q > /dev/null
    grep -oh '^\*\*.*\|Read as[^.]*\|^- The run took.*' out/report.md
done
