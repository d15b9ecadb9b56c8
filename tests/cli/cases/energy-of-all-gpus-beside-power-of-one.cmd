# Events that name no GPU on a host with two: 100 and 200 W over 10 s are 150 W per GPU and 3,000 J together.
# The mean energy is as uncertain as the sum, in per cent.
unset GPUSTAT_SHOW
{
    echo 'timestamp,index,power.draw [W]'
    for k in {10..39}; do for gpu in 0 1; do echo "2024-05-01T12:00:${k}Z,$gpu,$((100 * gpu + 100))"; done; done
} > log.csv
printf 'name,start,stop\na,2024-05-01T12:00:12Z,2024-05-01T12:00:22Z\na,2024-05-01T12:00:24Z,2024-05-01T12:00:34Z\n' > spans.csv
gpustat events log.csv spans.csv 2>&1
gpustat events log.csv spans.csv -q --explain | grep -E 'energy_sum_j  |power_time_w  ' | tr -s ' '
# One GPU: its power needs no such word.
grep -v ',1,' log.csv > one.csv
gpustat events one.csv spans.csv -q
