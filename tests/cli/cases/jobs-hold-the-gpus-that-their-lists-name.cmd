# Two nodes of 4 GPUs for 2 h. ann has all of both for 1 h (8 GPU-hours), bob GPUs 0 and 1 of n1 for the second hour (2), cy GPU 3 of n2 (1), however a list writes it.
awk 'BEGIN { print "timestamp,hostname,gpu,uuid,power.draw [W]"
    for (k = 0; k <= 120; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 4; g++)
        printf "2025-03-10T%02d:%02d:00Z,n%d,%d,GPU-%d%da-bc,%d\n", 20 + k / 60, k % 60, n, g, n, g, 100 + 10 * n + g }' > gpu.csv
one=2025-03-10T20:00:00Z two=2025-03-10T21:00:00Z three=2025-03-10T22:00:00Z
list() # HEADER ANN BOB CY, each nodes and GPUs
{
    printf '%s\n' "job_id,user,start,end,$1" "1,ann,$one,$two,$2" "2,bob,$two,$three,$3" "3,cy,$two,$three,$4" > jobs.csv
    printf '%s | %s: ' "$1" "$2"
    gpustat jobs --samples gpu.csv --events jobs.csv -q -f csv --show job,gpus,gpu_h,energy_j,attribution 2>&1 | tail -n +2 | tr '\n' ' '
    echo
}
# A number is that of all nodes, unless its column says that it is of each.
for column in gpus num_gpus ngpus gpus_per_node; do list nodes,$column '"n1,n2",8' n1,2 n2,1; done | sed '$d'
list nodes,gpus_per_node '"n1,n2",4' n1,2 n2,1
for nodes in 'n1;n2' 'n1 n2' 'n1+n2' '4*n1:4*n2' 'n[1-2]' "['n1', 'n2']"; do list nodes,gpus_per_node "\"$nodes\",4" n1,2 n2,1; done
# GPUs by their indices.
list node,gpu_ids '"n1,n2","0,1,2,3"' 'n1,"0,1"' n2,3
list node,gpu_ids 'n1 n2,0+1+2+3' n1,0+1 n2,3
list node,gpu_ids '"n1,n2","IDX:0-3"' 'n1,"IDX:0,1"' n2,IDX:3
list state,nodelist,gpu_ids 'COMPLETED,n[1-2],0-3' 'COMPLETED,n1,0-1' COMPLETED,n2,3
list node,gpus 'n1 n2,n1:0 n1:1 n1:2 n1:3 n2:0 n2:1 n2:2 n2:3' 'n1,n1:0 n1:1' n2,n2:3
# GPUs by their UUIDs, with nodes and without.
sed 's/,gpu,uuid,/,index,uuid,/' gpu.csv > uuid.csv && mv uuid.csv gpu.csv
all='GPU-10a-bc GPU-11a-bc GPU-12a-bc GPU-13a-bc GPU-20a-bc GPU-21a-bc GPU-22a-bc GPU-23a-bc'
list gpu_uuids "$all" 'GPU-10a-bc GPU-11a-bc' GPU-23a-bc
list nodes,gpu_uuids "n1 n2,$all" 'n1,GPU-10a-bc GPU-11a-bc' n2,GPU-23a-bc
# A row for each GPU.
{ echo job_id,user,start,end,gpu_uuid
    for u in $all; do echo "1,ann,$one,$two,$u"; done
    printf '%s\n' "2,bob,$two,$three,GPU-10a-bc" "2,bob,$two,$three,GPU-11a-bc" "3,cy,$two,$three,GPU-23a-bc"; } > jobs.csv
gpustat jobs --samples gpu.csv --events jobs.csv -q -f csv --show job,gpu_h,energy_j,attribution
# A number of GPUs and no node: as many, wherever they were.
list gpus 8 2 1
# A GPU that has no samples is said by its name.
printf '%s\n' job_id,user,start,end,gpu_uuids "1,ann,$one,$two,GPU-10a-bc GPU-99a-bc" > jobs.csv
gpustat jobs --samples gpu.csv --events jobs.csv -f csv --show job,gpus,gpu_h,covered_pct 2>&1 | grep -v 'readings at\|show'
