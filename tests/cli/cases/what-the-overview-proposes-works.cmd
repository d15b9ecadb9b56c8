# Each command that the overview of a folder proposes exits with 0 when it is typed: of steps, farms, jobs, logs, several runs in one
# folder, lists of two things, steps in ms, and of times apart.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
mkdir -p runs/a runs/b runs/c two ms apart log farm site bars
samples() # GPUS OFFSET
{
    echo timestamp,gpu,power_w,gpu_util
    for t in $(seq 0 2 120); do for g in $(seq 0 "$1"); do echo "$((1714564800 + $2 + t)),$g,$((t > 20 && t < 100 ? 300 : 60)),$((t > 20 && t < 100 ? 90 : 0))"; done; done
}
steps() { echo "$1,start,stop"; for i in $(seq 0 19); do echo "$i,$((1714564800 + $2 + 2 * i)),$((1714564802 + $2 + 2 * i))"; done; }
for dir in two ms apart log farm site bars; do samples 1 0 > $dir/gpu.csv; done
for dir in runs/a runs/b; do samples 1 0 > $dir/gpu.csv; steps step 22 > $dir/steps.csv; done
samples 0 3 | sed 's/gpu_util/utilization.gpu [%]/' > runs/c/smi.csv
steps step 22 > two/train.csv; steps batch 62 > two/eval.csv
{ echo step,step_time; for i in $(seq 0 19); do echo "$i,$((2000 + i % 2))"; done; } > ms/steps.csv
steps step 7200 > apart/steps.csv
{ echo task,gpu,start,stop; for i in $(seq 10 39); do echo "tile_$i,$((i % 2)),$((1714564800 + 2 * i)),$((1714564803 + 2 * i))"; done; } > farm/tasks.csv
printf 'JobID|User|State|Start|End|AllocTRES|NodeList\n1|ann|COMPLETED|2024-05-01T12:00:20|2024-05-01T12:01:40|gres/gpu=2|n1\n' > site/sacct.txt
for i in $(seq 1 40); do printf '\r1|%s|Loss: %s.5: %3d%%|#| %s/40 [00:%02d<00:10,  1.00it/s]' "$i" "$i" $((i * 5 / 2)) "$i" "$i"; done > bars/train.log
for dir in runs two ms apart log farm site bars data; do
    echo "$dir"
    gpustat $dir -q > overview || echo "overview: $?"
    sed -n '/^Next:/,$ { s/^ *//; s/  .*//; /^gpustat/p; }' overview > commands
    while read -r line; do
        echo "  $line"
        rm -rf report
        eval "$line" -q > result 2> message || { echo "    $?"; cat message; }
    done < commands
done
gpustat log events; echo $?
