# 3 GPUs on 2 nodes of 4, two of which work at 300 W on each: one and a half of each node's busiest, 900 Wh in an hour, and all
# of it is covered.
{
    echo 'time,host,gpu,power_w,gpu_util_pct'
    for ((t = 0; t <= 3600; t += 60)); do for host in h1 h2; do for gpu in 0 1 2 3; do
        echo "$((1773144000 + t)),$host,$gpu,$((gpu < 2 ? 300 : 50)),$((gpu < 2 ? 90 : 0))"
    done; done; done
} > gpu.csv
cat > sacct.txt <<'END'
JobID|JobName|User|Start|End|State|NodeList|AllocTRES
1|uneven|ann|2026-03-10T12:00:00|2026-03-10T13:00:00|COMPLETED|h[1-2]|cpu=4,gres/gpu=3,node=2
END
gpustat jobs gpu.csv sacct.txt --tz UTC -f csv --show job,gpus,gpu_h,energy_j,covered_pct,attribution
