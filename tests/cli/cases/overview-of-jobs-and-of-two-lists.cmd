# What is proposed runs: jobs where a scheduler's list is, and one list of events where there are two.
mkdir site two
printf '%s\n' 'timestamp,hostname,gpu_index,power_draw_w,gpu_util_pct' '2025-11-01T00:00:00Z,n1,0,100,50' '2025-11-01T00:01:00Z,n1,0,100,50' '2025-11-01T00:02:00Z,n1,0,100,50' > site/gpu-log.csv
printf '%s\n' 'JobID|User|State|Start|End|NodeList|AllocTRES' '1|ann|COMPLETED|2025-11-01T00:00:00|2025-11-01T00:01:00|n1|gres/gpu=1' > site/sacct.txt
gpustat site | sed -n '/^Next/,$p'
gpustat jobs site --by user -q -f csv | cut -d, -f 1-2
for i in 0 1 2 3 4 5 6 7 8 9; do echo "2025-11-01T00:00:1$i.000Z,0,$((100 + i)),50"; done | cat <(echo timestamp,gpu,power_w,gpu_util_pct) - > two/gpu.log.csv
printf '%s\n' step,time_s 0,2 1,2 > two/steps.csv
printf '%s\n' 'event,start,stop' 'a,2025-11-01T00:00:12Z,2025-11-01T00:00:14Z' > two/spans.csv
gpustat two | sed -n '/^Next/,$p'
gpustat events two --events two/spans.csv -q -f csv | cut -d, -f 1-2
