# A GPU that is at 1 % in one reading of a day is unused; one at 20 % in one reading, or at 1 % all day, is not. Jobs that
# no sample covers stand in the natural order of their names.
awk 'BEGIN {
    print "timestamp,hostname,index,power_w,gpu_util_pct"
    for (t = 0; t <= 24; t++)
        for (g = 0; g < 4; g++) {
            u = g == 0 && t == 12 ? 1 : g == 1 && t == 12 ? 20 : g == 2 ? 1 : g == 3 ? 95 : 0
            printf "2025-11-2%dT%02d:00:00Z,n1,%d,%d,%d\n", 1 + t / 24, t % 24, g, g == 3 ? 300 : 60, u
        }
}' > samples.csv
cat > jobs.txt <<'SACCT'
JobIDRaw|User|Account|Partition|JobName|State|Start|End|NodeList|NNodes|AllocTRES
1|ann|a|gpu|train|COMPLETED|2025-11-21T00:00:00|2025-11-22T00:00:00|n1|1|cpu=8,gres/gpu=4,node=1
20|bob|a|gpu|late|COMPLETED|2025-11-23T00:00:00|2025-11-23T10:00:00|n1|1|cpu=8,gres/gpu=1,node=1
3|cyd|a|gpu|late|COMPLETED|2025-11-23T00:00:00|2025-11-23T10:00:00|n1|1|cpu=8,gres/gpu=1,node=1
SACCT
gpustat jobs --samples samples.csv --events jobs.txt --tz UTC -q -f csv | cut -d, -f1,2,12,20,21
gpustat jobs --samples samples.csv --events jobs.txt --tz UTC -q -f csv --idle-below 30 | cut -d, -f1,2,12,20,21 | head -n 2
