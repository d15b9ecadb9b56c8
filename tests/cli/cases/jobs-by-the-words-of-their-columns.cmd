# Two nodes of 4 GPUs for 2 h: alice has all of n1 for 2 h (8 GPU-hours), bob 2 of n2 for 1 h, carol 1 of n2 for 2 h, whatever the columns are called.
awk 'BEGIN { print "timestamp,hostname,index,power.draw [W]"
    for (k = 0; k <= 120; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 4; g++)
        printf "2025-03-10T%02d:%02d:00Z,n%d,%d,200\n", 20 + k / 60, k % 60, n, g }' > gpu.csv
jobs() # HOST GPUS USER START END
{
    printf 'job_id,%s,%s,%s,%s,%s\n' "$3" "$4" "$5" "$1" "$2" > jobs.csv
    printf '%s,2025-03-10T20:00:00Z,2025-03-10T%s:00:00Z,%s,%s\n' 1,alice 22 n1 4 2,bob 21 n2 2 3,carol 22 n2 1 >> jobs.csv
    echo "$* $(gpustat jobs --samples gpu.csv --events jobs.csv --by user -q -f csv --show user,gpu_h 2>&1 | tr '\n' ' ')"
}
for host in node nodes hosts hostlist compute_node allocated_nodes execution_host; do jobs $host gpus user start end; done
for gpus in AllocGPUs alloc_gpus gpus_allocated nvidia.com/gpu requested_gpus gpu_request ngpu number_of_gpus Resource_List.ngpus gpu; do
    jobs node $gpus user start end
done
for user in owner submitter user_id uid Job_Owner login; do jobs node gpus $user start end; done
jobs node gpus user startTime completionTime; jobs node gpus user stime etime; jobs node gpus user dispatch_time finish_time
jobs node gpus user 'Started At' 'Completed At'; jobs Knoten GPUs Benutzer Beginn Ende
# GPUs by their numbers.
for ids in gpu_ids CUDA_VISIBLE_DEVICES gpus; do
    printf 'job_id,user,start,end,node,%s\n' $ids > jobs.csv
    printf '%s,2025-03-10T20:00:00Z,2025-03-10T%s:00:00Z,%s,"%s"\n' 1,alice 22 n1 0,1,2,3 2,bob 21 n2 0,1 3,carol 22 n2 3 >> jobs.csv
    echo "$ids $(gpustat jobs --samples gpu.csv --events jobs.csv --by user -q -f csv --show user,gpu_h 2>&1 | tr '\n' ' ')"
done
printf '%s\n' JobID,User,Start,End,NodeList,AllocGPUs 1,alice,1741636800,1741644000,n1,4 2,bob,1741636800,1741640400,n2,2 > sacct.csv
gpustat jobs --samples gpu.csv --events sacct.csv --by user -q -f csv --show user,gpu_h
# A job that runs has no end: an empty one, or 0 in sacct's JSON. It lasts as long as it says, else to the last sample.
printf 'timestamp,hostname,gpu,power_w\n' > gpu.csv
awk 'BEGIN { for (i = 0; i <= 600; i++) printf "2025-03-10T20:%02d:%02dZ,n1,0,100\n", i / 60, i % 60 }' >> gpu.csv
at=1741636800 # 2025-03-10 20:00
job() { echo "{\"job_id\": $1, \"name\": \"j\", \"user\": \"$2\", \"nodes\": \"n1\", \"state\": {\"current\": \"$3\"}, \"time\": {\"start\": $4, \"end\": $5, \"elapsed\": $6}}"; }
{ echo '{"jobs": ['; job 1 ann COMPLETED $at $((at + 300)) 300; echo ,; job 2 bob RUNNING $((at + 300)) 0 200; echo ,
    job 3 cy PENDING 0 0 0; echo ']}'; } > sacct.json
gpustat jobs gpu.csv sacct.json -q -f csv --show job,state,energy_j
printf 'job,user,host,start,end\n1,ann,n1,2025-03-10T20:00:00Z,2025-03-10T20:08:20Z\n2,bob,n1,2025-03-10T20:05:00Z,\n' > jobs.csv
gpustat events gpu.csv jobs.csv --by user -q -f csv | cut -d , -f 1-3
