# "Epoch 3 training started" is the third training, not an event of its own; and a status that all rows share names no event.
awk 'BEGIN { print "timestamp,power_w" > "gpu.csv"
    for (i = 0; i < 240; i++) printf "2026-03-01 08:%02d:%02d,300\n", i / 60, i % 60 > "gpu.csv"
    split("training evaluation", what, " "); print "start,end,executionStatus" > "calls.csv"
    for (k = 0; k < 4; k++) for (w = 1; w <= 2; w++) { a = k * 50 + (w - 1) * 35; b = a + (w == 1 ? 34 : 8)
        printf "2026-03-01 08:%02d:%02d - INFO - Epoch %d %s started\n", a / 60, a % 60, k, what[w] > "train.log"
        printf "2026-03-01 08:%02d:%02d - INFO - Epoch %d %s finished\n", b / 60, b % 60, k, what[w] > "train.log"
        printf "2026-03-01 08:%02d:%02d,2026-03-01 08:%02d:%02d,Done\n", a / 60, a % 60, b / 60, b % 60 > "calls.csv" } }'
for f in train.log calls.csv; do
    gpustat events gpu.csv --events $f -q -f csv --show event,n,duration_mean_ms
done
