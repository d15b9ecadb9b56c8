# The peak of a run of several days is named with its day, the first day as well; warnings of the analysis are none of the checks'.
awk 'BEGIN {
    print "timestamp,hostname,gpu,power_w"
    for (t = 0; t < 288; t++)
        for (h = 1; h <= 2; h++)
            printf "2025-11-%02dT%02d:%02d:00Z,n%d,0,%d\n", 1 + int(t / 96), int(t / 4) % 24, t % 4 * 15, h,
                   (t >= 80 && t < 84) ? 400 + t % 5 : 100 + t % 7
}' > log.csv
gpustat report log.csv -o r -q > /dev/null 2>&1
grep -E 'draw most|checks of the data|The analysis has|Warning' r/report.md
head -193 log.csv > day.csv
gpustat report day.csv -o d -q > /dev/null 2>&1
grep -o 'All GPUs together draw.*' d/report.md
