# n3 holds two GPUs that never work, n4 two of different cards: neither host is compared, and both are named.
awk 'BEGIN {
    print "timestamp,hostname,gpu,name,power_w,gpu_util_pct"
    for (t = 0; t < 1800; t += 10)
        for (h = 1; h <= 4; h++)
            for (g = 0; g < 2; g++)
                printf "2025-11-01T00:%02d:%02dZ,n%d,%d,%s,%d,%d\n", t / 60, t % 60, h, g, h == 4 && g ? "B" : "A",
                       h == 3 ? 76 : 300 + (t / 10 + g) % 7, h == 3 ? 2 : 95 + (t / 10 + g) % 3
}' > log.csv
unset GPUSTAT_VERBOSE
gpustat stragglers log.csv
gpustat report log.csv -o r -q > /dev/null 2>&1
grep -E 'By the sensors|those not ok' r/report.md | sed 's/columns. .*/columns./'
grep -E '^\| n3|^\| n1|^\| host' r/report.md
awk -F, '$2 ~ /^n3/ || $1 == "n3" {exit} {print $1}' r/gpu-verdicts.csv
# None worked: none is ok.
grep -E 'timestamp|n3' log.csv > idle.csv
gpustat stragglers idle.csv
gpustat report idle.csv -o i -q > /dev/null 2>&1
grep -o 'Not compared[^.]*\.' i/report.md
