# What looks like a mistake is said by the analyses too, once, and nothing is corrected.
log()
{
    echo 'timestamp,index,power.draw [W]'
    for k in {10..29}; do for gpu in 0 1; do echo "2024-05-01T12:00:${k}Z,$gpu,$(((k * 7 + gpu * $1) % 50 + $2))"; done; done
}
printf 'name,start,stop\na,2024-05-01T12:00:12Z,2024-05-01T12:00:22Z\n' > spans.csv
events="gpustat events --join window -f csv"
say()
{
    echo "$@ ::"
    $events "$@" 2>&1 > /dev/null
}
# Two GPUs, two hosts, with the same readings at the same times; not two that rest, nor different ones.
log 0 100 > same.csv; say same.csv spans.csv
log 3 100 > other.csv; say other.csv spans.csv
mkdir -p nodes/n1 nodes/n2; log 3 100 > nodes/n1/gpu.csv; cp nodes/n1/gpu.csv nodes/n2; cp spans.csv nodes; say nodes
sed 's/,[0-9]*$/,60/' same.csv > rest.csv; say rest.csv spans.csv
# map says so too, in whatever order the rows come.
{ head -n 1 same.csv; tail -n +2 same.csv | sort -t, -k 2,2 -k 1,1r; } > turned.csv
for log in same.csv turned.csv other.csv rest.csv nodes; do echo "map $log ::"; gpustat map $log 2>&1 > /dev/null; done
# A unit that lies; a scanner's and a mapper's reading of it.
log 3 100000 > milli.csv; say milli.csv spans.csv; say milli.csv spans.csv --rejects r.csv; say milli.csv spans.csv --set samples.metrics.power_w.unit=mW
# A job of two GPUs on a node of two and on a node of three.
{ echo 'time,host,gpu,power_w'; for k in {10..29}; do for g in n1,0 n1,1 n2,0 n2,1 n2,2; do echo "2024-05-01T12:00:${k}Z,$g,$((k * 7 % (9 + ${g:1:1}) + 100 + ${g: -1}))"; done; done; } > g.csv
{
    echo 'JobID|JobName|NodeList|AllocTRES|Start|End|State'
    echo '7|fits|n1|billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1|2024-05-01T12:00:12|2024-05-01T12:00:22|COMPLETED'
    echo '8|shares|n2|cpu=8,gres/gpu:a100=1,gres/gpu:v100=1,gres/gpumem=4G|2024-05-01T12:00:12|2024-05-01T12:00:22|COMPLETED'
    echo '9|both|n[1-2]|gres/gpu=5|2024-05-01T12:00:12|2024-05-01T12:00:22|COMPLETED'
    echo '10|cpus|n2|cpu=8|2024-05-01T12:00:12|2024-05-01T12:00:22|COMPLETED'
} > sacct.txt
say g.csv sacct.txt --tz UTC
$events g.csv sacct.txt --tz UTC -q --by gpus | cut -d, -f 1-3
# Rows of one start, each longer; devices as a process numbered them.
printf 'name,start,stop\na,2024-05-01T12:00:12Z,2024-05-01T12:00:15Z\na,2024-05-01T12:00:12Z,2024-05-01T12:00:22Z\n' > grows.csv; say other.csv grows.csv
printf '[{"ph":"X","cat":"kernel","name":"k","ts":1714564812000000,"dur":1000000,"args":{"device":1}}]' > trace.json; say other.csv trace.json
# A map of before the files; files copied together with it are none.
mkdir run; cp other.csv spans.csv run; gpustat map run -q > map.json; mv map.json run/gpustat.json; say run
touch -d '2020-01-01' run/gpustat.json; say run; gpustat map run 2>&1 > /dev/null
# Of codecarbon, whose rows say their end to the second and how long they took: twice in the second in which it was asked,
# and a last time; not a row that is there twice, nor two that begin seconds apart.
carbon() { echo 'timestamp,project_name,run_id,duration,emissions,energy_consumed'; for row in "$@"; do echo "2024-05-01T12:00:${row%:*},run,id1,${row#*:},1e-5,3e-4"; done; }
carbon 20:8.20 20:8.65 28:16.4 > emissions.csv; say other.csv emissions.csv --tz UTC
carbon 20:8.20 20:8.20 28:3.4 28:5.1 > emissions.csv; say other.csv emissions.csv --tz UTC
