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
