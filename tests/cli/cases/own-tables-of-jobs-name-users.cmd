# A home-made table of jobs: its column user is an attribute, to ask by in jobs and events.
mkdir own
printf 'job,user,name,start,end,hostname\n1,ada,train,2026-03-04T09:00:00Z,2026-03-04T09:05:00Z,n1\n2,bob,eval,2026-03-04T09:05:00Z,2026-03-04T09:10:00Z,n1\n' > own/jobs.csv
awk 'BEGIN { print "timestamp,hostname,gpu,power_w,gpu_util_pct"; for (i = 0; i < 600; i++) printf "%d,n1,0,%d,%d\n", 1772614800 + i, (i < 300) ? 300 : 100, (i < 300) ? 95 : 10 }' > own/gpu.csv
gpustat jobs own -q --by user -f csv --show user,jobs,gpu_h,energy_j,attribution
gpustat events own -q --by user -f csv --show user,n,energy_sum_j,power_time_w
