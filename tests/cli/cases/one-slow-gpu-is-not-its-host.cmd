# Of two GPUs on a host one has a low clock: it is slow, its host is not.
for ((s = 0; s < 90; s++)); do for h in a b c; do for g in 0 1; do
    clock=1700; [ "$h$g" = b1 ] && clock=1200
    echo "$((1773144000 + s)),$h,$g,$((280 - (1700 - clock) / 6 + s % 3)),$((95 + s % 4)),60,$clock"
done; done; done | { echo time,hostname,gpu,power_w,gpu_util_pct,temp_c,sm_clock_mhz; cat; } > gpu.csv
gpustat gpus gpu.csv -f csv --show hostname,gpu_serial,gpu_verdict
gpustat gpus gpu.csv 2>&1 | grep -E 'GPU 1 |all GPUs'
