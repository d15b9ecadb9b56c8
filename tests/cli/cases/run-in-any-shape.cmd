for c in events "events --join window" zoom gpus correlate summary join "join --join window"; do gpustat $c data -q -f csv > "$c.csv" || echo "$c: $?"; done
compare() { for c in events "events --join window" zoom gpus correlate join "join --join window"; do gpustat $c "$@" -q -f csv | cmp - "$c.csv" || echo "$c $*"; done; }
for j in 1 2 7; do compare data -j $j; done
mkdir shards shuffled packed
for t in application-checkpoints gpu task-x-y; do
    head -n 1 data/$t.csv > header
    for k in 1 2 3 4 5; do { cat header; tail -n +2 data/$t.csv | awk -v k=$k 'NR % 5 == k % 5'; } > shards/$t-$k.csv; done
    { cat header; tail -n +2 data/$t.csv | shuf --random-source=<(yes); } | sed 's/$/\r/' > shuffled/${t//-/_}.csv
done
gzip < data/application-checkpoints.csv > packed/application-checkpoints.csv.gz
{ zstd -q || gzip; } < data/gpu.csv > packed/gpu.csv.zst 2> /dev/null
xz < data/task-x-y.csv > packed/task-x-y.csv.xz
compare shards; compare shuffled; compare packed
compare --gpu shards/gpu-3.csv --gpu shards/gpu-1.csv --gpu shards/gpu-5.csv --gpu shards/gpu-4.csv --gpu shards/gpu-2.csv data
for c in events zoom join; do gpustat $c data --gpu - -q -f csv < packed/gpu.csv.zst | cmp - $c.csv; gpustat $c data --tasks - -q -f csv < shuffled/task_x_y.csv | cmp - $c.csv; done
for l in C C.UTF-8 de_DE.UTF-8; do for z in UTC Asia/Kathmandu America/St_Johns; do LC_ALL=$l TZ=$z gpustat events data -q -f csv | cmp - events.csv; done; done
gpustat summary shuffled -q -f csv | grep -v bytes | diff - <(grep -v bytes summary.csv)
gpustat check shards -q -f csv | cut -d, -f1-3 | cmp - <(gpustat check shuffled -q -f csv | cut -d, -f1-3)
