# A list of jobs without samples: ann 2 GPUs x 3 h + 8 GPUs on 2 nodes x 1 h = 14, bob 1 GPU x 4 h over midnight; of cy's
# job nothing tells how many GPUs it had.
mkdir list
cat > list/sacct.txt <<'END'
JobID|User|NodeList|Start|End|State|AllocTRES
1|ann|a|2026-03-01T10:00:00|2026-03-01T13:00:00|COMPLETED|cpu=8,gres/gpu=2,node=1
2|ann|a,b|2026-03-01T14:00:00|2026-03-01T15:00:00|COMPLETED|cpu=8,gres/gpu=8,node=2
3|bob|b|2026-03-01T21:00:00|2026-03-02T01:00:00|FAILED|cpu=8,gres/gpu=1,node=1
4|cy|a|2026-03-01T21:00:00|2026-03-02T01:00:00|COMPLETED|
END
unset GPUSTAT_SHOW
gpustat list | tail -n 4
gpustat jobs list --by user --tz UTC
gpustat jobs list --by day --tz UTC --format csv --show day,jobs,wall_h,gpu_h,energy_j
gpustat jobs list --by state --tz UTC --max-memory 64M
for shard in 1 2; do gpustat jobs list --by user --tz UTC --shard $shard/2 --partial $shard.part; done 2> /dev/null
gpustat merge 1.part 2.part 2> /dev/null
gpustat report list -o page --tz UTC 2> /dev/null | head -n 1
