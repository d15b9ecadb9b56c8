# What logs of a reader's own taught; each energy is known from its rows.
energy() { gpustat power "$@" -q -f csv --show gpu,rows,power_mean_w,energy_trapezoid_j; }
# a header that names its power again has it of several GPUs: HWiNFO, pandas, Grafana; 1,200 and 2,400 J
printf 'Date,Time,GPU Power [W],GPU Power [W]\n20.2.2017,17:59:36.2,100,200\n20.2.2017,17:59:48.2,100,200\n' > hwinfo.csv
energy hwinfo.csv
gpustat power hwinfo.csv 2>&1 > /dev/null | grep again
printf ',timestamp,power_w,util,power_w.1,util.1\n0,2024-05-01 12:00:00,100,90,200,80\n1,2024-05-01 12:00:12,100,90,200,80\n' > pandas.csv
energy pandas.csv
gpustat gpus pandas.csv -q -f csv --show gpu,power_mean_w,energy_j
energy pandas.csv --power-column power_w.1
# times of two tables side by side are of neither
sed 's/power_w.1/timestamp.1/; s/,200,80/,2024-05-01 13:00:00,80/' pandas.csv > side.csv
gpustat power side.csv
# OpenMetrics has seconds where the exporters' text has milliseconds
printf 'gpu_power_watts{gpu="0"} %s\n' '100 1714564800' '100 1714564812.000' > open.prom
energy open.prom
# turbostat's header once: the row of the machine is the one whose CPU is "-"
{ printf 'usec\tTime_Of_Day_Seconds\tCPU\tBusy%%\tPkgWatt\tGFXWatt\n'; for s in 00 06 12; do printf '1\t17145648%s.0\t-\t5\t140\t100\n1\t17145648%s.0\t0\t5\t140\t100\n1\t17145648%s.0\t1\t5\n' $s $s $s; done; } > turbo.txt
energy turbo.txt
# what groups digits: a point before a comma, an apostrophe, a narrow blank
printf 'time;power_w\n2024-05-01 12:00:00;1.100,5\n2024-05-01 12:00:12;899,5\n' > both.csv
energy both.csv
printf "time;power_w\n2024-05-01 12:00:00;1'100\n2024-05-01 12:00:06;1\xe2\x80\xaf000\n2024-05-01 12:00:12;900\n" > marks.csv
energy marks.csv
# a point beside whole numbers that all are below 1000 may part thousands
printf 'time;power_w\n2024-05-01 12:00:00;900\n2024-05-01 12:00:01;1.100\n2024-05-01 12:00:02;1.102\n2024-05-01 12:00:03;1.101\n' > point.csv
gpustat power point.csv
energy point.csv --power-column power_w
# a zone behind a date in any form, and more forms
for t in '2024-05-01 12:00:SS UTC' '2024-05-01 14:00:SS.5 +0200 CEST' '[01/May/2024:14:00:SS +0200]' 2024-05-01-12-00-SS '31/05/2024 01:00:SS p.m.' '2024-05-01 12:00:SS.25 +0000 UTC m=+3.5'; do
    { echo 'time,power_w'; echo "${t/SS/00},100"; echo "${t/SS/12},100"; } > zone.csv
    gpustat map zone.csv -f csv --show from,to
    energy zone.csv -q | tail -n 1
done
# watts in other alphabets, behind a comma or in brackets; a design power is no draw
for name in 'мощность, Вт' '功耗(瓦)' draw_w; do
    printf 'time;%s;tdp_w\n2024-05-01 12:00:00;100;400\n2024-05-01 12:00:12;100;400\n' "$name" > watts.csv
    energy watts.csv | tail -n 1
done
# a copy of the first part of a log is no second host
{ echo 'time,gpu,power_w'; for s in {10..49}; do echo "2024-05-01 12:00:$s,0,$((100 + s))"; done; } > log.csv
head -n 20 log.csv > log-backup.csv
gpustat gpus log.csv log-backup.csv 2>&1 > /dev/null | grep copy
for n in 34 35 36 38; do head -n $n log.csv > log-backup.csv; gpustat gpus log.csv log-backup.csv 2>&1 > /dev/null | grep -c copy; done
# a clock that goes back, by hand or from 12:59 to 01:00, is refused (its energy was 11 % low, and 1.5 times)
{ echo 'time,power_w'; for s in {10..29} {25..44}; do echo "2024-05-01 12:00:$s,100"; done; } > back.csv
gpustat power back.csv -f csv 2>&1 > /dev/null | grep 'goes back'
{ echo 'time,power_w'; for t in 12:{40..59} 01:{00..19}; do echo "2024-05-01 $t:00,100"; done; } > twelve.csv
gpustat gpus twelve.csv -f csv 2>&1 > /dev/null | grep 'goes back'
