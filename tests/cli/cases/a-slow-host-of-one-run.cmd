# Steps that name no host are of all hosts: their GPUs are siblings, so that a whole host can be slow. n2 is hot.
awk 'BEGIN {
    print "timestamp,hostname,index,power_w,temp_c,gpu_util_pct,sm_clock_mhz" > "gpu.csv"
    print "step,start,end" > "steps.csv"
    for (t = 0; t < 900; t += 5)
        for (h = 0; h < 4; h++)
            for (g = 0; g < 4; g++) {
                on = t >= 20 && t < 880
                printf "%d,n%d,%d,%d,%d,%d,%d\n", 1760000000 + t, h, g, on ? (h == 2 ? 560 : 650) + (t + 3 * g) % 9 : 70,
                    on ? 60 + g + (h == 2 ? 17 : 0) : 34, on ? 96 + (t + g) % 4 : 0,
                    on ? (h == 2 ? 1380 : 1740) + (t + 5 * g) % 30 : 345 > "gpu.csv"
            }
    for (k = 0; k < 120; k++)
        printf "%d,%d,%d\n", k, 1760000020 + 7 * k, 1760000027 + 7 * k > "steps.csv"
}'
gpustat stragglers gpu.csv --events steps.csv -f csv --show hostname,gpu_uuid,gpu_verdict,siblings
gpustat report gpu.csv --events steps.csv -o r -q > files && grep -o "n2 GPU 0 is[^<]*" r/report.md | head -n 1
grep -o "If steps wait.* GPU-hours" r/report.md
# Of the log alone they are compared within their hosts, and the host as a whole with the others.
gpustat stragglers gpu.csv -q -f csv --show hostname,gpu_verdict,siblings
