# Errors whose advice can be typed as it stands, and comments above a table.
log()
{
    echo 'timestamp, index, power.draw [W]'
    for k in {10..59}; do echo "2024/05/01 12:00:$k.000, 0, $1.00 W"; done
}
mkdir nodes; log 100 > nodes/gpu_node01.csv; log 200 > nodes/gpu_node02.csv
printf 'JobID|JobName|NodeList|Start|End|State\n7|t|node[01-02]|2024-05-01T12:00:10|2024-05-01T12:00:50|COMPLETED\n' > nodes/sacct.txt
energy()
{
    gpustat events "$@" --join window --tz UTC -q -f csv 2>&1 | cut -d, -f 1-3,10,15
}
energy nodes
energy nodes --set 'samples.host.file=gpu_{}.csv'
printf 'name,host,start,stop\nt,n1,2024-05-01T12:00:10,2024-05-01T12:00:50\n' > spans.csv
{ echo 'time,host,power_w'; for k in {10..59}; do echo "2024-05-01T12:00:$k,rack-n1,50"; done; } > rack.csv
energy rack.csv spans.csv
energy rack.csv spans.csv --set 'samples.host.like=rack-{}'
printf 'step;begin;end\n1;01/05/2024 12:00:10;01/05/2024 12:00:20\n' > days.csv
energy nodes/gpu_node01.csv days.csv
energy nodes/gpu_node01.csv days.csv --set 'events.start.unit=DD/MM/YYYY hh:mm:ss' --set 'events.stop.unit=DD/MM/YYYY hh:mm:ss'
{ echo '# a log of run 7'; echo '#'; log 100; } > comments.csv
energy comments.csv days.csv --set 'events.start.unit=DD/MM/YYYY hh:mm:ss' --set 'events.stop.unit=DD/MM/YYYY hh:mm:ss'
gpustat map comments.csv -q | grep -E 'skip|found'
