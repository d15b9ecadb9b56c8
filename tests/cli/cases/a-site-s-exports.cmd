# What a site exports: a Prometheus query of each metric, and sacct with the columns that it likes.
query()
{
    echo '{"status":"success","data":{"resultType":"matrix","result":['
    for host in n1 n2; do for gpu in 0 1; do
        [ $host$gpu = n10 ] || echo ,
        echo '{"metric":{"__name__":"'$1'","Hostname":"'$host'","UUID":"GPU-'$host$gpu'","gpu":"'$gpu'"},"values":['
        for k in {0..24}; do
            [ $k = 0 ] || echo -n ,
            echo -n "[$((1761955200 + k * 300)),\"$(($2 + (k * 7 + gpu * 3) % 11))\"]"
        done
        echo ']}'
    done; done
    echo ']}}'
}
mkdir site
query DCGM_FI_DEV_POWER_USAGE 100 > site/power.json
query DCGM_FI_DEV_GPU_UTIL 50 > site/util.json
cat > site/jobs.txt <<'END'
JobIDRaw|JobID|User|Account|Partition|QOS|JobName|NodeList|Start|End|Elapsed|State|AllocTRES|ReqTRES
10|10|ann|chem|gpu|long|train|n1|2025-11-01T00:00:10|2025-11-01T01:00:00|00:59:50|COMPLETED|cpu=8,gres/gpu:a100=2,gres/gpu=2|gres/gpu=2
10.batch|10.batch||chem|||batch|n1|2025-11-01T00:00:10|2025-11-01T01:00:00|00:59:50|COMPLETED|cpu=8|
11|7_1|bob|phys|gpu|long|eval|n2|2025-11-01T00:20:00|2025-11-01T00:50:00|00:30:00|CANCELLED by 1004|cpu=8,gres/gpu=1|
12|7_2|bob|phys|gpu|long|eval|n2|2025-11-01T01:00:00|Unknown|1-01:02:03|RUNNING|cpu=8,gres/gpu:a100=1,gres/gpu:h100=1|
13|13|ann|chem|cpu|long|prep|n1|2025-11-01T01:20:00|2025-11-01T01:50:00|00:30:00|COMPLETED|cpu=8|gres/gpu=1
14|14|ann|chem|gpu|long|wait|None assigned|Unknown|Unknown|00:00:00|PENDING||gres/gpu=4
15|15|ann|chem|gpu|long|gone|None assigned|2026-03-01T10:00:00|2026-03-01T10:00:00|00:00:00|CANCELLED by 7||gres/gpu=4
END
gpustat map site -q | grep -e attributes -e found | cut -c 1-400
for by in user state,qos array,gpus,gpu_type; do
    gpustat events site -q -f csv --join window --by $by | cut -d , -f 1-4 | sed 's/,duration_sd.*//'
done
gpustat gpus site -q -f csv | cut -d , -f 1,3-5,7
gpustat check site -f csv -q | cut -d , -f 1-3
# Zones: only one that exists, and only where it must be said.
sed 's/2025-11-01T0\([01]\)/2025-11-01T1\1/g; /Unknown/d' site/jobs.txt > later.txt
gpustat events site/power.json later.txt -q -f csv --by user
printf "name,start,stop\na,2025-11-01T00:20:00,2025-11-01T00:50:00\n" > inside.csv
gpustat events site/power.json inside.csv -q -f csv
