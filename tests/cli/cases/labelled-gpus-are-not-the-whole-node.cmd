# A job whose GPU the samples label used that GPU alone, also where the node logs idle GPUs without a label.
echo timestamp,hostname,gpu,power_w,hpc_job > gpu.csv
for i in 0 1 2 3 4 5; do
    job=; [ $i -ge 1 ] && [ $i -le 4 ] && job=7
    echo "2025-11-01T00:0$i:00Z,n1,0,200,$job"; echo "2025-11-01T00:0$i:00Z,n1,1,50,"
done >> gpu.csv
printf '%s\n' 'JobID|User|State|Start|End|NodeList|AllocTRES' '7|ann|COMPLETED|2025-11-01T00:01:00|2025-11-01T00:04:00|n1|gres/gpu=1' > sacct.txt
gpustat events gpu.csv --events sacct.txt -f csv --show event,n,energy_sum_j 2>&1 | grep -E 'event|job|part of a node'
grep -v ',7$' gpu.csv > plain.csv
gpustat events plain.csv --events sacct.txt -f csv --show event,n 2>&1 | grep -o 'used part of a node ([^)]*)'
echo "the warning stands where energy counts for several jobs:"
for command in events join bias gpus balance stragglers check timeline jobs 'report -o jobs' 'report --kind phases -o phases'; do
    echo "$command: $(gpustat $command plain.csv --events sacct.txt 2>&1 > /dev/null | grep -c 'used part of a node')"
done
