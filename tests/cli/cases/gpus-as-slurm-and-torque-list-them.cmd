# Two nodes of 4 GPUs, 300 W where a job has them: 1 has 2 of n1 for an hour, 2 has 2 of each for half an hour. Whatever a list
# calls them, job 1 has 2 GPU-hours and job 2 two; where it says which, each has its own energy to the sample.
gpus() # FOLDER
{
    mkdir "$1"
    awk 'BEGIN { print "timestamp,hostname,index,power.draw [W],utilization.gpu [%]"
        for (t = 0; t <= 7200; t += 60)
            for (g = 0; g < 8; g++) {
                on = (g < 2 && t < 3600) || ((g == 2 || g == 3 || g == 4 || g == 7) && t >= 3600 && t < 5400)
                printf "%s,n%d,%d,%d,%d\n", strftime("%Y-%m-%d %H:%M:%S", 1772614800 + t, 1), 1 + int(g / 4), g % 4, on ? 300 : 60, on ? 99 : 0
            }
    }' > "$1/gpu.csv"
}
asked() # FOLDER
{
    gpustat jobs "$1" -q --tz UTC -f csv --show job,gpus,gpu_h,energy_j,attribution
}
for list in gres gres_alloc reqgres sacct torque; do
    gpus $list
done
cat > gres/jobs.csv << 'EOF'
job,user,nodes,gres,start,end
1,ann,n1,"gpu:a100:2(IDX:0,1)",2026-03-04 09:00:00,2026-03-04 10:00:00
2,bob,"n1,n2",gpu:a100:2,2026-03-04 10:00:00,2026-03-04 10:30:00
EOF
sed 's/,gres,/,gres_alloc,/; s/gpu:a100:2,/gpu:4,/' gres/jobs.csv > gres_alloc/jobs.csv
cat > reqgres/sacct.txt << 'EOF'
JobID|User|Start|End|State|ReqGRES|NodeList
1|ann|2026-03-04T09:00:00|2026-03-04T10:00:00|COMPLETED|gpu:a100:2|n1
2|bob|2026-03-04T10:00:00|2026-03-04T10:30:00|COMPLETED|gpu:2|n[1-2]
EOF
sed 's/ReqGRES/AllocTRES/; s/gpu:a100:2/cpu=8,gres\/gpu:a100=2,gres\/gpu=2/; s/gpu:2/cpu=8,gres\/gpu=4,node=2/' reqgres/sacct.txt > sacct/sacct.txt
cat > torque/20260304 << 'EOF'
03/04/2026 10:00:00;E;1.srv;user=ann group=g jobname=train queue=batch start=1772614800 exec_host=n1/0-7 exec_gpus=n1-gpu/0+n1-gpu/1 Resource_List.neednodes=1:ppn=8:gpus=2 Resource_List.nodes=1:ppn=8:gpus=2 end=1772618400 Exit_status=0
03/04/2026 10:30:00;E;2.srv;user=bob group=g jobname=train queue=batch start=1772618400 exec_host=n1/0-7+n2/0-7 exec_gpus=n1-gpu/3+n1-gpu/2+n2-gpu/0+n2-gpu/3 Resource_List.neednodes=2:ppn=8:gpus=2 Resource_List.nodes=2:ppn=8:gpus=2 end=1772620200 Exit_status=0
EOF
for list in gres gres_alloc reqgres sacct torque; do
    echo "$list:"
    asked $list
done
# What names neither a node nor a GPU holds all of them, and this is said.
gpus nowhere
printf 'job,user,start,end\n1,ann,2026-03-04 09:00:00,2026-03-04 10:00:00\n' > nowhere/jobs.csv
gpustat jobs nowhere --tz UTC -f csv --show job,gpus,gpu_h,attribution
