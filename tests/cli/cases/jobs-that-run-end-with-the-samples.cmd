# Two nodes of 2 GPUs for 2 h. ann ran 30 min on n1; ben and cat run, and hold 2 GPUs each to the end: 1 h and 2 h. dan waits, and may begin at 23.
awk 'BEGIN { print "timestamp,hostname,index,power.draw [W]"
    for (k = 0; k <= 120; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 2; g++)
        printf "2025-03-10T%02d:%02d:00Z,n%d,%d,%d\n", 20 + k / 60, k % 60, n, g, 100 * n }' > gpu.csv
head='JobID|User|State|Start|End|NodeList|AllocTRES' day=2025-03-10T
printf '%s\n' "$head" "1|ann|COMPLETED|${day}20:00:00|${day}20:30:00|n1|gres/gpu=2" "2|ben|RUNNING|${day}21:00:00|Unknown|n1|gres/gpu=2" \
    "3|cat|RUNNING|${day}20:00:00|Unknown|n2|gres/gpu=2" "4|dan|PENDING|${day}23:00:00|Unknown|None assigned|gres/gpu=2" > day1.txt
gpustat jobs gpu.csv --events day1.txt --tz UTC -q -f csv --show job,user,state,stop,gpu_h,energy_j 2>&1
# Without samples: to the last time that the list names.
gpustat jobs --events day1.txt --tz UTC -q -f csv --show job,gpu_h
# The dump of the next day has two of them again, as they ended: each is one job.
printf '%s\n' "$head" "2|ben|COMPLETED|${day}21:00:00|${day}21:30:00|n1|gres/gpu=2" "3|cat|FAILED|${day}20:00:00|${day}21:00:00|n2|gres/gpu=2" > day2.txt
mkdir days && cp gpu.csv day1.txt day2.txt days
gpustat jobs days --tz UTC -f csv --show job,user,state,stop,gpu_h,energy_j 2>&1 | grep -v 'readings\|show'
# Likewise where the lists say how long each has run.
for k in 1 2; do awk -F '|' -v OFS='|' '{ $5 = $5 OFS (NR == 1 ? "Elapsed" : $3 == "PENDING" ? "00:00:00" : "00:30:00") } 1' day$k.txt > days/day$k.txt; done
gpustat jobs days --tz UTC -q -f csv --show job,user,state,stop,gpu_h,energy_j
