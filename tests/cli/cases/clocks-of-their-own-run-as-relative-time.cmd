# Times that begin near 0, and times of day, need no origin where nothing is to meet: in every command, said once.
run()
{
    gpustat gpus "$1" -q -f csv | cut -d, -f 4,5,12 | tail -n 1
    gpustat power "$1" -f csv 2>&1 > /dev/null | grep 1970
}
printf 'time\tpower_w\n.005\t100\n.505\t100\n1.005\t100\n' > dot.tsv; run dot.tsv
printf 'elapsed_s,power_w\n0,100\n1,100\n2,100\n' > own.csv; run own.csv
# A clock that jumps back at midnight goes on the next day.
printf 'time,power_w\n23:59:58,100\n23:59:59,100\n00:00:00,100\n00:00:01,100\n' > tod.csv; run tod.csv
printf 'event,start,stop\na,2024-05-01T10:12:00Z,2024-05-01T10:13:00Z\n' > ev.csv
gpustat events --samples own.csv --events ev.csv
# The order of day and month: from the file's own steps, or from days that no month has; else it is asked for.
printf 'timestamp,power_w\n03-11-2026 23:59:59,100\n03-12-2026 00:00:00,100\n03-12-2026 00:00:01,100\n' > mdy.csv; run mdy.csv
gpustat map mdy.csv -q | grep unit
printf 'timestamp,power_w\n31/03/2026 23:59:59,100\n01/04/2026 00:00:00,100\n01/04/2026 00:00:01,100\n' > dmy.csv; run dmy.csv
gpustat map dmy.csv -q | grep unit
# People read such times as what they are, never as a day of 1970.
gpustat own.csv -q | head -n 3
printf 'timestamp,power_w\n03-12-2026 00:00:00,100\n03-12-2026 00:00:01,100\n' > open.csv
gpustat power open.csv
# The only column of a unit of time is the clock, whatever it is called, if it rises from row to row; what repeats is none.
seq 0 9 | sed 's/$/,100/; 1i t_rel_s,power_w' > rel.csv; run rel.csv
seq 0 9 | sed 's/$/, 100/; 1i second, power_w' > second.csv; run second.csv
seq 0 9 | sed 's/.*/7,100/; 1i seconds,power_w' > same.csv; gpustat power same.csv -q -f csv | cut -d, -f 9,12
# A length of time as pandas and Python print it counts from 1970 too, over midnight and beyond a day.
printf 'timestamp,power_w\n0 days 23:59:59.500000,100\n1 days 00:00:00,100\n1 days 00:00:00.5,100\n' > delta.csv; run delta.csv
printf 'time,power_w\n"1 day, 2:03:04",100\n"1 day, 2:03:05",100\n"2 days, 2:03:05",100\n' > days.csv
run days.csv
printf 'timestamp,power_w\n3 daze 00:00:01,100\n' > daze.csv; gpustat power daze.csv -q
