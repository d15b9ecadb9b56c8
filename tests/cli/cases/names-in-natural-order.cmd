unset GPUSTAT_SHOW
echo 'event,start,stop,host,gpu' > spans.csv
for i in 1 2 10; do echo "burst $i,2024-01-01T00:00:0$((i % 7))Z,2024-01-01T00:00:09Z,a,0"; done >> spans.csv
gpustat events --events spans.csv -q --show event,n
gpustat events --events spans.csv -q --show event,n -f csv
