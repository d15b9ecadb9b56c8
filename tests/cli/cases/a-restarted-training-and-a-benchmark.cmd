# A trainer that was restarted counts steps 3 and 4 again; at 100 W a second of a step costs 100 J.
mkdir train bench
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 600; i++) printf "2024-05-01T12:%02d:%02dZ, 100 W\n", i / 60, i % 60 }' > gpu.csv
cp gpu.csv train; cp gpu.csv bench
restarted()
{
    awk -v form="$1" 'BEGIN { for (i = 0; i < 24; i++) { step = i < 14 ? i + 1 : i - 1
        printf form "\n", step, (step > 12), 1714564830 + 10 * i + (i >= 14) * 60, step, (step % 3 ? 10 : 9.5) } }'
}
{ echo 'step,epoch,timestamp,loss,step_time'; restarted '%d,%d,%.1f,0.%d,%s'; } > train/metrics.csv
gpustat events train -q -f csv --by event,epoch --show n,duration_mean_ms,energy_sum_j
gpustat train | grep Read
{ restarted '{"step": %d, "epoch": %d, "phase": "train", "time": %.1f, "loss": 0.%d, "step_time_s": %s}'
  echo '{"step": 22, "epoch": 1, "phase": "eval", "time": 1714565160.0, "step_time_s": 30}'; } > log.jsonl
gpustat events gpu.csv log.jsonl -q -f csv --by event,epoch --show n,duration_mean_ms,energy_sum_j
# The configuration names the events of a benchmark, not the batch; what they share are attributes.
awk 'BEGIN { print "config,batch,quant,repeat,start,duration,requests"
    for (i = 0; i < 36; i++) { b = 2 ^ int(i % 12 / 2); q = i % 2 ? "fp8" : "fp16"
        printf "b%d_%s,%d,%s,%d,%d,%d,%d\n", b, q, b, q, 1 + i / 12, 1714564810 + 12 * i, 5 + i % 12 / 2, 100 * b + i } }' > bench/runs.csv
gpustat bench | grep Read
gpustat events bench -q -f csv --show event,n,energy_sum_j | head -4
gpustat events bench -q -f csv --by batch --show n,energy_sum_j
# A trainer's log in a folder is its events, and what is no step of two logs is counted for both; a named file is not unused.
mkdir logs; cp gpu.csv logs
for part in 1 2; do
    for i in 1 2 3 4; do printf '2024-05-01 12:0%d:%d0,000 INFO trainer: epoch=0 step=%d/40 loss=0.%d step_time=1%d.0s\n' $part $i $((4 * part - 4 + i)) $i 0; done
    printf '2024-05-01 12:0%d:55,000 ERROR trainer: watchdog timeout\n' $part
done > logs/all.log
head -5 logs/all.log > logs/train_1.log; tail -5 logs/all.log > logs/train_2.log; rm logs/all.log
gpustat events logs -q -f csv --by event,epoch --show n,energy_sum_j
gpustat logs --tz UTC | sed -n '/Read/p;/not used/p'
gpustat events logs --events logs/train_1.log -f csv --show event,n,energy_sum_j
gpustat events logs --events logs/train_1.log --events logs/train_2.log -f csv --show event,n,energy_sum_j
# What the lines of the same log start and finish are events, too; what a name carries behind it are attributes, and no line of prose is a row that lacks something.
for i in 1 2 3; do printf '2024-05-01 12:05:%d0,000 - trainer - INFO - epoch=0 step=%d/40 loss=0.%d step_time=10.0s\n' $i $((8 + i)) $i
    printf '2024-05-01 12:0%d:40,000 - trainer - INFO - evaluation %s step=%d\n' $((4 + i)) "$([ $i = 2 ] && echo 'finished in 60 s at' || echo started)" 9; done > logs/train_2.log
sed -i 's/INFO trainer: /- trainer - INFO - /' logs/train_1.log
gpustat events logs -f csv --show event,n,duration_mean_ms,energy_sum_j
awk 'BEGIN { for (i = 0; i < 4; i++) for (k = 0; k < 2; k++) printf "[%d.500] %s b%d rep=%d%s\n", 1714564830 + 20 * i + 10 * k, (k ? "STOP" : "START"), i % 2, i / 2, (k ? " requests=" 100 * (4 - i) : "") }' > bench.log
gpustat events gpu.csv bench.log -q -f csv --show event,n,duration_mean_ms,energy_sum_j
gpustat events gpu.csv bench.log -q -f csv --by rep,requests --show n,duration_mean_ms,energy_sum_j
# A name, an instant and a length are a run; a phase names it beside the step; a restart has no row that says when it began.
awk 'BEGIN { print "timestamp,config,batch_size,runtime_s"; for (i = 1; i < 9; i++) printf "2024-05-01T12:%02d:10Z,%s,%d,%d\n", i, i % 2 ? "a" : "b", i % 2, 8 - i % 3 }' > named.csv
awk 'BEGIN { print "phase,step,start,end"; for (i = 1; i < 6; i++) printf "train,%d,%d,%d\neval,%d,%d,%d\n", i, 1714564800 + 60 * i, 1714564820 + 60 * i, i, 1714564820 + 60 * i, 1714564830 + 60 * i }' > phases.csv
awk 'BEGIN { print "Wall time,Step,Value"; for (i = 1; i < 13; i++) printf "%d,%d,2.5\n", 1714564800 + 10 * i + (i > 7) * 90, i - 3 * (i > 7) }' > board.csv
printf '2024-05-01 12:0%d:00 INFO Epoch %d/2 %s\n' 1 1 started 2 1 'finished, loss 2.3' 3 2 started 5 2 'finished: 1.9' > epochs.log
for f in named.csv phases.csv board.csv epochs.log; do gpustat events gpu.csv $f -q -f csv --show event,n,duration_mean_ms,energy_sum_j; done
