# Two jobs of a list that says nothing of GPUs, at once on a node of two: their GPU-hours are at most these, which is warned of; that
# they hold more than the node has is not known.
unset GPUSTAT_VERBOSE
awk 'BEGIN { print "timestamp,hostname,gpu,power.draw [W]"; for (i = 0; i < 300; i++) for (g = 0; g < 2; g++) printf "%d,a,%d,100 W\n", 1735689480 + i, g }' > gpu.csv
printf 'JobID|User|NodeList|Start|End|State\n1|ann|a|2024-12-31T23:59:00|2025-01-01T00:00:00|COMPLETED\n2|bob|a|2024-12-31T23:59:30|2025-01-01T00:01:00|COMPLETED\n' > sacct.txt
gpustat jobs gpu.csv sacct.txt --tz UTC --format csv --show job,gpu_h
