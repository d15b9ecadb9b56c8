# What every command reads, power reads, too: without times, with malformed rows, with a header that changes.
cat > dmon.log <<'LOG'
# gpu   pwr gtemp
# Idx     W     C
    0    27    23
    1    26    26
    0   140    54
    1   141    54
LOG
gpustat power dmon.log -f csv -q | cut -d, -f 1-5,12
gpustat power dmon.log --interval 2s -f csv -q | cut -d, -f 1-5,12
cat > torn.csv <<'LOG'
timestamp, power.draw [W], power.draw.instant [W]
2024/10/10 13:18:58.000, 10, 20
2024/10/10 13:18:59.000, 1x, 21
2024/10/10 13:19:00.000
2024/10/10 13:19:01.000, 13, 23
power.draw [W], power.draw.instant [W], timestamp
14, 24, 2024/10/10 13:19:02.000
2024/10
LOG
gpustat power torn.csv --points -f csv | cut -d, -f 2,4
gpustat power torn.csv --power-column instant --points -f csv -q | cut -d, -f 2,4
gpustat power torn.csv --power-column 'power.draw.instant [W]' -f csv -q | cut -d, -f 2-5,12
# A clock of its own, and power without a unit: nothing is joined with them.
printf 'seconds,power\n0.0,10\n0.5,20\n1.0,10\n' > own.csv
sed -i s/seconds/time/ own.csv
gpustat power own.csv -f csv -q | cut -d, -f 2,5,9,12
# The study's logs have no header; for the commands of a run, too.
printf '2024/10/10 13:18:5%s.369, 81, 14%s.99, 4396, 11264\n' 7 5 8 6 9 7 > study.csv
gpustat power study.csv -f csv -q | cut -d, -f 2,5,12
gpustat power study.csv --columns timestamp,gpu_util,power,memory_used,memory_total -f csv -q | cut -d, -f 2,5,12
printf 'event,start,stop\nall,2024-10-10T13:18:57.369Z,2024-10-10T13:18:59.369Z\n' > spans.csv
gpustat events study.csv spans.csv --tz UTC --join window -f jsonl -q | grep -o '"energy_sum_j": [0-9.]*'
