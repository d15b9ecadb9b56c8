# Lists of hosts and GPUs in records of JSON, and in cells that a script printed from such, name them all; a list of a metric's
# readings has one for each GPU. Lists of lists and of objects stay passed over.
for s in $(seq 0 60 600); do
    printf '2025-03-10T10:%02d:00Z,n%d,%d,%d\n' $((s / 60)) 1 0 100 $((s / 60)) 1 1 200 $((s / 60)) 2 0 300 $((s / 60)) 2 1 400
done | (echo 'timestamp,hostname,gpu,power_w'; cat) > gpu.csv
printf '%s\n' '{"job_id": "1", "user": "ann", "start_time": "2025-03-10T10:00:00Z", "end_time": "2025-03-10T10:05:00Z", "nodes": ["n1"], "gpu_ids": [1], "tags": []}' \
    '{"job_id": "2", "user": "bob", "start_time": "2025-03-10T10:05:00Z", "end_time": "2025-03-10T10:10:00Z", "nodes": [ "n1", "n\u0032" ], "gpu_ids": [0, 1], "tags": [["x"], {"y": [1]}]}' > jobs.jsonl
gpustat map gpu.csv jobs.jsonl 2> /dev/null | grep -E '"(host|gpu|attributes)"'
gpustat jobs gpu.csv jobs.jsonl -q -f csv | cut -d, -f 1,2,11,12,14,23
printf 'job,user,start,end,nodes,gpu_ids\n1,ann,2025-03-10T10:00:00Z,2025-03-10T10:05:00Z,[],[]\n2,bob,2025-03-10T10:05:00Z,2025-03-10T10:10:00Z,"['"'n1', 'n2'"']","(0, 1)"\n' > jobs.csv
gpustat jobs gpu.csv jobs.csv -q -f csv | cut -d, -f 1,2,11,12,14,23
printf '{"ts": "2025-05-07T14:03:1%d", "power_w": [%d.5, null, 80]}\n' 0 60 1 70 2 80 > gpus.jsonl
gpustat map gpus.jsonl 2> /dev/null | grep metrics
gpustat gpus gpus.jsonl -q -f csv | cut -d, -f 1-3,5
