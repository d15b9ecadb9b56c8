# A key that no job has is refused with those that there are, as is any other; the total of the waste is one, however the jobs
# are grouped.
mkdir own site
{
    echo timestamp,host,gpu,power_w,gpu_util
    for i in $(seq 0 10 600); do for g in 0 1 2 3; do
        echo "$((1714564800 + i)),n1,$g,$((g == 2 ? 60 : 250)),$((g == 2 ? 0 : 90))"
    done; done
} > own/gpu.csv
cp own/gpu.csv site
printf 'job_id,project,queue,begin,finish,node,gpus\n7,p,q,2024-05-01T12:00:00,2024-05-01T12:05:00,n1,2\n' > own/jobs.csv
for key in user account state; do gpustat jobs own --by $key -q; echo $?; done
{
    echo 'job_id,user,project,begin,finish,node,gpus'
    echo '7,ann,p,2024-05-01T12:00:00,2024-05-01T12:05:00,n1,2'
    echo '8,bob,p,2024-05-01T12:01:00,2024-05-01T12:09:00,n1,1'
} > site/jobs.csv
for key in user project day name; do
    gpustat jobs site --by $key -q --tz UTC --show wasted_gpu_h,wasted_energy_j | tail -n 1
done
# Shards of a GPU: how many one has is not in the list, so that who holds some shares the node's GPUs, and has not none.
cat > site/sacct.txt <<'END'
JobID|User|State|Start|End|NNodes|NodeList|AllocTRES
1|ann|COMPLETED|2024-05-01T12:00:00|2024-05-01T12:05:00|1|n1|cpu=8,gres/shard=2,node=1
2|bob|COMPLETED|2024-05-01T12:05:00|2024-05-01T12:10:00|1|n1|cpu=8,gres/gpu=1,gres/shard=4,node=1
END
rm site/jobs.csv
gpustat jobs site -f csv -q --tz UTC --show job,user,gpu_h,energy_j,attribution
