# Steps whose time counts from the start of the run lie where the load is; the first begins with it. The GPU takes 300 W from
# 12:01:00 to 12:03:00: 60 steps of 2 s are 36 kJ.
{ echo timestamp,gpu,power_w; for t in $(seq 0 299); do echo "$((1714564800 + t)),0,$((t >= 60 && t < 180 ? 300 : 60))"; done; } > gpu.csv
for column in elapsed time time_s wall_time train_time time_total_s; do
    { echo "step,$column,loss"; for i in $(seq 1 60); do echo "$i,$((2 * i)).0,2"; done; } > $column.csv
    gpustat events gpu.csv $column.csv -f csv 2> err | cut -d, -f 1-3,15-16
    grep -h start err
done
for i in $(seq 1 60); do echo "{\"iter\": $i, \"elapsed_s\": $((7 + 2 * i)).0}"; done > late.jsonl # 7 s before the first
gpustat events gpu.csv late.jsonl -q -f csv | cut -d, -f 1-3,15-16
gpustat events gpu.csv late.jsonl --start 2024-05-01T12:00:53Z -q -f csv | cut -d, -f 1-3,15-16
gpustat events elapsed.csv -f csv 2>&1 | cut -d, -f 1-3
