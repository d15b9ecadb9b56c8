# Two models in one farm: tasks take longer on the second, which makes none of its GPUs slow; GPU 1 of r2 is.
awk 'BEGIN {
    print "timestamp,hostname,gpu_index,gpu_name,power_w,gpu_util_pct,sm_clock_mhz" > "gpu.csv"
    print "host,gpu,task_id,task,start,end" > "tasks.csv"
    for (h = 0; h < 8; h++)
        for (g = 0; g < 2; g++) {
            slow = h == 2 && g == 1
            for (t = 0; t < 1200; t += 10)
                printf "%d,r%d,%d,%s,%d,97,%d\n", 1760000000 + t, h, g, h < 4 ? "NVIDIA A100-PCIE-40GB" : "NVIDIA L40S",
                    h < 4 ? 240 + (t + h + 3 * g) % 7 : 290 + (t + h + g) % 7, (h < 4 ? 1410 : 2520) > "gpu.csv"
            at = 1760000000 + h
            for (k = 0; k < 12; k++) {
                d = (h < 4 ? 40 : 70) * (slow ? 1.4 : 1) + (7 * k + 3 * h + g) % 5
                printf "r%d,%d,t%d-%d-%d,render,%d,%d\n", h, g, h, g, k, at, at + d > "tasks.csv"
                at += d + 1
            }
        }
}'
gpustat clusters gpu.csv --events tasks.csv -f csv --show cluster,gpus,task_median_s,axes
gpustat stragglers gpu.csv --events tasks.csv -f csv --show hostname,gpu_uuid,verdict,cluster,slowdown_pct -q
gpustat clusters gpu.csv --events tasks.csv --k 1 -q -f csv --show cluster,gpus
