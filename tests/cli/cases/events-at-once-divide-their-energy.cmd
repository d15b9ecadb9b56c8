# Requests of 4 s, one each second, on a GPU of 300 W for 100 s: up to four at once, 103 s x 300 W = 30.9 kJ for 100 of them.
# An event takes the energy of its time, 1,200 J; for each token of a request it is what those at once divide: 30,900 / 5,000.
export -n GPUSTAT_SHOW GPUSTAT_VERBOSE
{
    echo 'timestamp,index,power.draw [W]'
    for ((s = 0; s <= 130; s++)); do
        date -u -d "@$((1773144000 + s))" "+%Y/%m/%d %H:%M:%S.000, 0, 300.00 W"
    done
} > gpu.csv
{
    echo 'request_id,start_time,latency_s,output_tokens'
    for ((i = 0; i < 100; i++)); do
        echo "r$i,$(date -u -d "@$((1773144010 + i))" +%FT%TZ),4.0,50"
    done
} > requests.csv
gpustat events gpu.csv requests.csv --per output_tokens --show event,n,energy_sum_j,energy_divided_j,energy_per_item_j
# Twice as fast, the same work at the same power: two at once, the same energy for each.
mkdir a b
cp gpu.csv a; cp gpu.csv b
cp requests.csv b
sed 's/,4.0,/,2.0,/' requests.csv > a/requests.csv
gpustat diff a b --show event,measure,a,b,change_pct -f csv 2> /dev/null
