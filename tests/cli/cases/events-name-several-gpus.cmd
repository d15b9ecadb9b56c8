# 10 s on GPUs of 100 and 200 W are 3,000 J, on nodes n1 and n2 as well; however the list is written.
for gpu in 0 1; do
    { echo 'timestamp,hostname,index,power.draw [W]'; for i in $(seq 0 30); do echo "$((1714564800 + i)),n$((gpu + 1)),$gpu,$((100 + 100 * gpu)) W"; done; } > $gpu.csv
done
sed 's/,n2,/,n1,/' 1.csv > one.csv
for list in '"0,1"' '"[0, 1]"' '0 1' '0;1' 0-1; do
    printf 'event,start,stop,hostname,gpu\na,1714564805,1714564815,n1,%s\nb,1714564805,1714564815,n1,1\n' "$list" > events.csv
    gpustat events --samples 0.csv --samples one.csv --events events.csv -q -f csv --show event,n,energy_sum_j
done
sed -i 's/^\([^,]*,n1\),\([01]\)/\1,gpu\2/' one.csv; sed 's/,0,/,gpu0,/' 0.csv > named.csv
for list in gpu0-1 gpu0-gpu1; do
    printf 'event,start,stop,hostname,gpu\na,1714564805,1714564815,n1,%s\nb,1714564805,1714564815,n1,gpu1\n' "$list" > events.csv
    gpustat events --samples named.csv --samples one.csv --events events.csv -q -f csv --show event,n,energy_sum_j
done
for list in '"n1,n2"' 'n[1-2]'; do
    printf 'event,start,stop,hostname\na,1714564805,1714564815,%s\nb,1714564805,1714564815,n2\n' "$list" > events.csv
    gpustat events --samples 0.csv --samples 1.csv --events events.csv -q -f csv --show event,n,energy_sum_j
done
