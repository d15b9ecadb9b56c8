# Times of jobs that were cut to seconds: another job that still runs, or the border of a range, is none of them.
awk 'BEGIN { print "time,host,gpu,power_w"; for (s = 0; s < 1000; s++) printf "%.3f,n00,0,%d\n", 1743278400.137 + s, (s >= 300 && s < 600) ? 400 : 60 }' > samples.csv
head='JobID|JobIDRaw|User|Account|Partition|JobName|NodeList|Start|End|State|AllocTRES'
row() { echo "$1|$1|u$1|a|gpu|work|n00|2025-03-29T$2|$3|$4|gres/gpu=1,node=1"; }
{ echo "$head"; row 1 20:05:00 2025-03-29T20:10:00 COMPLETED; } > done.txt
{ cat done.txt; row 2 20:11:40 Unknown RUNNING; } > running.txt
ask() { gpustat "$1" --samples samples.csv --tz UTC --sensor period=20ms,window=20ms,delay=0ms -q -f csv "${@:2}"; }
for list in done running; do ask jobs --events $list.txt --show job,energy_j | grep ^1; done
# The parts before and behind a border add up to the whole.
whole=$(ask events --events done.txt --show energy_sum_j | tail -n 1)
for border in 20:05:10 20:05:10.25; do
    for side in --to --from; do ask events --events done.txt $side "2025-03-29T${border}Z" --show energy_sum_j | tail -n 1; done |
        awk -v whole="$whole" '{ sum += $1 } END { print whole, (sum - whole)^2 < 1e-6 }'
done
# What begins at a border is covered once, and no part of the time is missing.
ask events --events done.txt --from 2025-03-29T20:05:00Z --show coverage_pct
ask balance --events done.txt --from 2025-03-29T20:04:59Z --show part,unseen_s,coverage_pct
