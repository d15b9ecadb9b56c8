# Jobs that reach beyond the samples are cut, and those without GPUs run where no GPU is: neither is a fault. Events are.
printf '%s\n' timestamp,hostname,gpu,power_w,gpu_util_pct > gpu.csv
for i in 0 1 2 3 4 5 6 7 8 9; do echo "2025-11-01T00:0$i:00Z,n1,0,$((100 + i)),$((50 + i))"; done >> gpu.csv
sacct() { printf '%s\n' 'JobID|User|State|Start|End|NodeList|AllocTRES' "$@" > sacct.txt; }
sacct '1|ann|COMPLETED|2025-10-31T23:00:00|2025-11-01T00:03:00|n1|gres/gpu=1' '2|bob|RUNNING|2025-11-01T00:04:00|Unknown|n1|gres/gpu=1' '3|cat|COMPLETED|2025-11-01T00:01:00|2025-11-01T00:02:00|c7|cpu=8'
gpustat check gpu.csv --events sacct.txt -f csv -q --show severity,id,count
sacct '1|ann|COMPLETED|2025-11-01T00:01:00|2025-11-01T00:03:00|n2|gres/gpu=1' '2|bob|COMPLETED|2025-11-01T00:04:00|2025-11-01T00:05:00|n1|gres/gpu=1'
gpustat check gpu.csv --events sacct.txt -f csv -q --show severity,id,count
printf '%s\n' event,host,start,stop 'train,n1,2025-10-31T23:00:00Z,2025-11-01T00:03:00Z' 'train,c7,2025-11-01T00:01:00Z,2025-11-01T00:02:00Z' > events.csv
gpustat check gpu.csv --events events.csv -f csv -q --show severity,id,count
