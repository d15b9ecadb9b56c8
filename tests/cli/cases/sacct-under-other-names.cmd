# Databases and scripts hand sacct's table on in lower case or with words of their own: steps are still no jobs, and each job is on
# its node alone.
{ echo timestamp,hostname,gpu_index,power_w,gpu_util_pct
  for t in 0 1 2 3 4 5 6 7 8 9; do for h in n1 n2; do echo "2024-05-01T12:0$t:00Z,$h,0,300,95"; done; done; } > gpu.csv
rows='1|ann|lab|train|COMPLETED|2024-05-01T12:01:00|2024-05-01T12:08:00|n1|billing=8,gres/gpu=1
1.batch||lab|batch|COMPLETED|2024-05-01T12:01:00|2024-05-01T12:08:00|n1|cpu=8,gres/gpu=1
2|bob|lab|eval|FAILED|2024-05-01T12:02:00|2024-05-01T12:05:00|n2|billing=8,gres/gpu=1'
for names in 'JobID|User|Account|JobName|State|Start|End|NodeList|AllocTRES' 'jobid|user|account|jobname|state|start|end|nodelist|alloctres' \
             'job_id|user_name|acct|name|status|started_at|finished_at|node_list|alloc_tres'; do
    printf '%s\n%s\n' "$names" "$rows" > sacct.txt
    gpustat jobs gpu.csv sacct.txt -q --by user -f csv --show user,jobs,gpu_h,energy_j --tz UTC
done
