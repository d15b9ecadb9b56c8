# Jobs that work for a share of their time on GPUs of 300 W, 55 W when idle: waste is the same whether the log has utilisation or not.
exec 2>&1
awk 'BEGIN { print "job_id,user,start,end,hostname,gpu"; for (g = 0; g < 4; g++) printf "%d,u%d,%d,%d,n%d,%d\n", g + 1, g % 2, 1714564800 + 600 + 60 * g, 1714564800 + 6600 + 60 * g, g / 2, g % 2 }' > jobs.csv
awk 'BEGIN { print "timestamp,hostname,gpu_index,power_w,gpu_util_pct"
    for (i = 0; i < 240; i++) for (g = 0; g < 4; g++) { t = 30 * i - 600 - 60 * g; on = t >= 0 && t < 1500 * (g + 1) && t < 6000 && g < 3
        printf "%d,n%d,%d,%d,%d\n", 1714564800 + 30 * i, g / 2, g % 2, (on ? 300 : 55) + i % 5, (on ? 95 : 0) } }' > gpu.csv
cut -d, -f 1-4 gpu.csv > power.csv
show=gpu_h,gpu_util_mean_pct,idle_pct,wasted_gpu_h,wasted_low_gpu_h,wasted_high_gpu_h,unused_gpu_h
for log in gpu power; do
    gpustat jobs $log.csv jobs.csv -q -f csv --show job,$show
    cut -d, -f 1-5 jobs.csv | sed 's/hostname/&,gpus/; /^[0-9]/s/$/,1/' > shared.csv
    gpustat jobs $log.csv shared.csv -q -f csv --by user --show user,$show
done
# Where the power of a host's GPUs hardly differs nothing tells whether all worked or none.
awk -F, 'NR == 1 || ($4 = 60 + NR % 3)' OFS=, power.csv > even.csv
gpustat jobs even.csv jobs.csv -q -f csv --show job,idle_pct,wasted_gpu_h
