# Long steps by their numbers; what counts as idle; costs among the options; the host of the largest waste; words for the data.
awk 'BEGIN { print "step,timestamp,step_time"; for (k = 0; k < 60; k++) { d = k % 20 == 19 ? 5.2 + k / 100 : 2; t += d; printf "%d,%.3f,%.3f\n", k, 1760000000 + t, d } }' > steps.csv
awk 'BEGIN { print "timestamp,gpu_index,power_w"; for (t = 0; t < 140; t++) print 1760000000 + t ",0,300" }' > gpu.csv
gpustat report gpu.csv steps.csv -o steps -q > /dev/null
grep -o '[0-9]* steps took at least[^:]*: .*)\.' steps/report.md
cut -d, -f1,3 steps.csv | sort -t, -k2nr | head -n 3
sed -n '/What the data hold/,/<\/pre>/p' steps/index.html | head -n 5
awk 'BEGIN {
    print "timestamp,hostname,gpu_index,power_w,gpu_util_pct" > "site.csv"
    for (t = 0; t <= 36000; t += 60) for (h = 0; h < 3; h++) printf "%d,n%d,0,%d,%d\n", 1760000000 + t, h, 60 + t % 7, 0 > "site.csv"
    print "JobID|User|Account|Partition|JobName|NodeList|Start|End|State|AllocTRES" > "sacct.txt"
    print "900|ann|a|gpu|bash|n1|1760001000|1760030000|COMPLETED|gres/gpu=1,node=1" > "sacct.txt"
    print "901|bob|a|gpu|train|n0,n2|1760001000|1760009000|COMPLETED|gres/gpu=2,node=2" > "sacct.txt" }'
gpustat report site.csv sacct.txt -o site -q --price 0.30EUR/kWh --pue 1.3 > /dev/null
grep -E 'were idle|single waste' site/report.md
grep -E '^--(price|carbon|pue)' site/options.csv
