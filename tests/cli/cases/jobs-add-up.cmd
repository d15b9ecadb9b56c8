# Jobs on shared nodes: what nothing tells apart is divided, rows and "(no job)" add up to the fleet's energy to the microjoule.
log()
{
    echo "timestamp,host,index,power_w,utilization_gpu,memory_used_mib,memory_total_mib"
    for k in {0..40}; do for host in a b; do for gpu in 0 1 2 3; do
        busy=$(( (k * 5 + gpu * 3) % 17 < 9 + gpu ))
        [ $gpu = 3 ] && busy=0
        echo "$((1761955200 + k * 30)),$host,$gpu,$((60 + busy * (100 + gpu * 50) + (k * 7 + gpu) % 5)).25,$((busy * 90)),$((busy * 1000 + 500)),80000"
    done; done; done
}
log > gpu.csv
cat > sacct.txt <<'END'
JobID|User|Account|Partition|JobName|NodeList|NNodes|Start|End|State|AllocTRES
1|ann|x|p|train|a|1|2025-11-01T00:00:10|2025-11-01T00:10:07|COMPLETED|gres/gpu=2,node=1
2|bob|y|p|eval|a|1|2025-11-01T00:02:40|2025-11-01T00:14:11|FAILED|gres/gpu=1,node=1
3|ann|x|p|wide|a,b|2|2025-11-01T00:15:00|2025-11-01T00:18:00|COMPLETED|gres/gpu=8,node=2
4|cat|x|q|half|b|1|2025-10-31T23:50:00|2025-11-01T00:05:00|COMPLETED|gres/gpu=4,node=1
5|cat|x|q|late|b|1|2025-11-01T00:19:15|2025-11-01T01:00:00|RUNNING|gres/gpu=3,node=1
6|bob|y|cpu|prep|b|1|2025-11-01T00:06:00|2025-11-01T00:07:00|COMPLETED|cpu=8,node=1
END
gpustat jobs gpu.csv sacct.txt -f csv
total() { awk -F, -v c="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == c) at = i} NR > 1 {sum += $at} END {printf "%.6f\n", sum}'; }
gpustat gpus gpu.csv -q -f csv | total energy_j
for share in alloc first-fit node; do
    for by in user account,partition host job; do
        gpustat jobs gpu.csv sacct.txt -q -f csv --by $by --share $share | total energy_j
    done
done
# Samples that name their job: attribution is exact, and a GPU that several used is one log, from which nothing is counted twice.
label() { awk -F, -v OFS=, 'NR == 1 {print $0, "hpc_job"; next} {t = $1 - 1761955200; job = ""
    if ($2 == "a" && $3 < 2 && t >= 10 && t < 607) job = 1
    if ($2 == "a" && $3 == 2 && t >= 160 && t < 851) job = 2
    if (t >= 900 && t < 1080) job = 3
    if ($2 == "b" && t < 300) job = 4
    if ($2 == "b" && $3 != 2 && t >= 1155) job = 5
    print $0, job}'; }
label < gpu.csv > labelled.csv
gpustat jobs labelled.csv sacct.txt --set samples.job=hpc_job --tz UTC -q -f csv | cut -d , -f 1,2,11,12,14,18,25
for share in alloc first-fit; do
    gpustat jobs labelled.csv sacct.txt --set samples.job=hpc_job --tz UTC --share $share --by user -q -f csv | total energy_j
done
for question in gpus timeline 'timeline --every 7s' 'balance --by gpu' balance power; do
    [ "$question" = gpus ] && unset events || events=sacct.txt
    [ "$question" = power ] && unset events
    gpustat $question labelled.csv $events --set samples.job=hpc_job --tz UTC -q -f csv | sed 's/energy_sensor_j/energy_j/' | grep -v '^total,\|,total,' | total energy_j
done
# Gaps, bridged and left out; sensors that lag and scale.
awk -F, 'NR == 1 || !($2 == "b" && $1 > 1761955700 && $1 < 1761956000) && !($1 % 1200 > 600 && $3 < 2)' gpu.csv > gaps.csv
for option in --max-gap=2h --max-gap=60s "--card=Tesla K80" --sensor=gain=1.05,offset=7,delay=2s; do
    gpustat gpus gaps.csv "$option" -q -f csv | total energy_j
    gpustat jobs gaps.csv sacct.txt "$option" --tz UTC -q -f csv | total energy_j
done
gpustat jobs gpu.csv sacct.txt --by user --share first-fit --price 0.30/kWh --carbon 380g/kWh --pue 1.2 --idle-below 50 -q -f csv | cut -d , -f 1,2,5,7,12-17
# A row of samples in any order, shards and threads: the same bytes.
{ head -n 1 gpu.csv; tail -n +2 gpu.csv | sort -t, -k 4; } > turned.csv
gpustat jobs gpu.csv sacct.txt -q -f csv > one.csv
gpustat jobs turned.csv sacct.txt -q -f csv -j 4 | cmp - one.csv
for i in 1 2 3; do gpustat jobs gpu.csv sacct.txt -q --shard $i/3 --partial $i.part; done
gpustat merge 1.part 2.part 3.part -q -f csv | cmp - one.csv
gpustat jobs gpu.csv sacct.txt --by colour
gpustat jobs gpu.csv sacct.txt --by user,user
# What is not known of a card errs alike in all jobs of a GPU: eight of one user are as sure as the GPU, not surer.
{ echo timestamp,gpu,power_w; for k in {0..480}; do echo "$((1761955200 + k)),0,300"; done; } > even.csv
{ echo 'name,user,start,stop'; for k in {0..7}; do echo "work,ann,$((1761955200 + k * 60)),$((1761955260 + k * 60))"; done; } > work.csv
gpustat gpus even.csv -q -f json | grep -o '"energy_[a-z]*_j": [^,}]*'
gpustat jobs even.csv work.csv --by user -q -f json | grep -o '"energy_[a-z]*_j": [^,}]*' | head -n 2
