# One user wastes most by many small jobs, another by a single one: a shell that was forgotten.
awk 'BEGIN {
    print "timestamp,hostname,gpu_index,power_w,gpu_util_pct" > "gpu.csv"
    for (t = 0; t <= 36000; t += 60)
        for (h = 0; h < 2; h++)
            printf "%d,n%d,0,%d,%d\n", 1760000000 + t, h, 60 + t % 7, 0 > "gpu.csv"
    print "JobID|User|Account|Partition|JobName|NodeList|Start|End|State|AllocTRES" > "sacct.txt"
    print "900|ann|a|gpu|bash|n0|1760001000|1760030000|COMPLETED|gres/gpu=1,node=1" > "sacct.txt"
    for (k = 0; k < 10; k++)
        printf "%d|bob|a|gpu|train|n1|%d|%d|COMPLETED|gres/gpu=1,node=1\n", 901 + k, 1760000000 + 3500 * k, 1760003400 + 3500 * k > "sacct.txt"
}'
gpustat report gpu.csv sacct.txt -o r -q > files && grep -E 'most GPU-hours idle|single waste' r/report.md
sed -n 's/.*single waste is job \([0-9]*\).*/\1/p' r/report.md
head -n 2 r/allocations.csv | cut -d, -f1,2
