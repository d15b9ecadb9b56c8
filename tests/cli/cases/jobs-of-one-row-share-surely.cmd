# GPUs that jobs share are not known to be the one's or the other's. In a row of both it does not matter which had what.
# Four GPUs at 60, 100, 200 and 240 W for an hour, sensors within 5 W:
{ echo timestamp,hostname,index,power_w; for m in {0..60}; do for g in 0:60 1:100 2:200 3:240; do
    echo "$((1763596800 + m * 60)),n1,${g%:*},${g#*:}"; done; done; } > samples.csv
cat > jobs.txt <<'SACCT'
JobIDRaw|User|Account|Partition|JobName|State|Start|End|NodeList|NNodes|AllocTRES
1|ann|a|gpu|train|COMPLETED|2025-11-20T00:00:00|2025-11-20T01:00:00|n1|1|gres/gpu=2,node=1
2|ann|a|gpu|train|COMPLETED|2025-11-20T00:00:00|2025-11-20T01:00:00|n1|1|gres/gpu=1,node=1
3|bob|a|gpu|train|COMPLETED|2025-11-20T00:00:00|2025-11-20T01:00:00|n1|1|gres/gpu=1,node=1
SACCT
{ echo name,job,start,stop,gpu; for j in 1:ann 2:ann 3:bob; do
    echo "${j#*:},${j%:*},2025-11-20T00:00:00Z,2025-11-20T01:00:00Z,0"; done; } > one-gpu.csv
ask() { gpustat jobs samples.csv "$@" --tz UTC -q -f json --sensor gain=1,offset=0 |
    jq -r '.rows[] | [(.job // .user // .account // .name // .hostname), .energy_j, .energy_low_j, .energy_high_j, .attribution] | @csv'; }
# The pool: of two GPUs 160 to 440 W may be ann's first job's, of three 360 to 540 W ann's, and all 600 W the account's.
for by in job user account; do ask jobs.txt --by $by; done
# A GPU named by three jobs: its 60 W may be anyone's; ann's two are not two GPUs.
for by in job name host; do ask one-gpu.csv --by $by; done
