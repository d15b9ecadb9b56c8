# What ties a job to its GPUs: indices behind its TRES, or the job that an exporter's label names. GPU g draws 100 W x (g + 1).
exec 2>&1
mkdir idx
cat > idx/jobs.txt <<'END'
JobIDRaw|JobID|User|JobName|NodeList|Start|End|State|AllocTRES
10|10|ann|a|n1|2025-11-01T00:00:00|2025-11-01T00:10:00|COMPLETED|cpu=8,gres/gpu:a100:2(IDX:0,2)
11|11|bob|b|n1|2025-11-01T00:00:00|2025-11-01T00:10:00|COMPLETED|cpu=8,gres/gpu:a100:1(IDX:1)
12|12|cyd|c|n1|2025-11-01T00:20:00|2025-11-01T00:30:00|COMPLETED|cpu=8,gres/gpu:a100:4(IDX:0-3)
END
{ echo timestamp,hostname,gpu,power_w
  for s in $(seq 0 60 1800); do for g in 0 1 2 3; do echo $((1761955200 + s)),n1,$g,$((100 * (g + 1))); done; done; } > idx/gpu_log.csv
gpustat events idx --by user -q -f csv --join window | cut -d, -f 1-2,14-15
gpustat jobs idx -q -f csv | cut -d, -f 1,2,11,13,14
# Arrays, a requeued job, parts of a heterogeneous one and steps are told apart.
cat > odd.txt <<'END'
JobIDRaw|JobID|User|JobName|NodeList|Start|End|State|AllocTRES
100|100+0|ann|het|n1|2025-11-01T00:00:00|2025-11-01T00:10:00|COMPLETED|gres/gpu=2
101|100+1|ann|het|n2|2025-11-01T00:00:00|2025-11-01T00:10:00|COMPLETED|gres/gpu=1
100.0|100+0.0|ann|step|n1|2025-11-01T00:00:00|2025-11-01T00:10:00|COMPLETED|cpu=8
200|200|bob|again|n1|2025-11-01T00:20:00|2025-11-01T00:25:00|REQUEUED|gres/gpu=2
200|200|bob|again|n1|2025-11-01T00:30:00|2025-11-01T00:40:00|COMPLETED|gres/gpu=2
302|300_2|cyd|array|n1|2025-11-01T00:50:00|2025-11-01T00:55:00|COMPLETED|gres/gpu=1
303|300_[3-9%2]|cyd|array|None assigned|Unknown|Unknown|PENDING|
END
gpustat events odd.txt -q -f csv --by job,array,state | cut -d, -f 1-5
# The label of the job on each sample.
{ echo timestamp,hostname,gpu,power_w,hpc_job
  for s in $(seq 0 60 600); do for g in 0 1 2 3; do echo $((1761955200 + s)),n1,$g,$((100 * (g + 1))),$((10 + g % 2)); done; done; } > label.csv
sed 's/(IDX:[0-9,-]*)//; /^12/d' idx/jobs.txt > plain.txt
gpustat events label.csv plain.txt --by user -q -f csv --join window | cut -d, -f 1-2,14-15
# Jobs of no GPU have no energy in any table, and run on their host.
mkdir cpu
printf '%s\n' 'JobIDRaw|User|State|JobName|Start|End|NodeList|AllocTRES' '1|ann|COMPLETED|train|2025-11-01T00:00:00|2025-11-01T00:05:00|n1|gres/gpu=1' '2|bob|COMPLETED|prep|2025-11-01T00:01:00|2025-11-01T00:03:00|n1|cpu=64,mem=9G' > cpu/sacct.txt
gpustat schedule --events cpu/sacct.txt --event prep -q -f csv | cut -d, -f 1-5
for t in 0 1 2 3 4 5 6; do echo "2025-11-01T00:0$t:00Z,n1,0,300,90"; done | cat <(echo timestamp,hostname,gpu,power_w,gpu_util_pct) - > cpu/gpu.csv
gpustat events cpu -q -f csv --by user --show user,n,energy_sum_j
for command in balance gpus timeline check stragglers clusters bias join; do gpustat $command cpu -q > /dev/null 2>&1; [ $? -lt 2 ] || echo "$command: $?"; done
