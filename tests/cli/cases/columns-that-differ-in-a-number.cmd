# Columns that differ in a number, or in the host before the GPU, are one metric's where their words say which; power supplies
# are no GPUs. Of panels of several hosts only the first host's GPUs counted.
table() {
    echo "$1" > "$2.csv"
    for i in 0 1 2; do printf '2026-05-04 03:20:0%d%s\n' "$i" "$3"; done >> "$2.csv"
    echo "# $1"
    gpustat power "$2.csv" -q -f csv 2>&1 | cut -d, -f1,5 | grep -v ^gpu,
}
table 'Time,node1 GPU power,node2 GPU power' a ,60,70
table 'Time,n1:9400 GPU 0 power,n1:9400 GPU 1 power,n2:9400 GPU 0 power' b ,60,70,80
table 'Time,monitoring/gpu_power_0,monitoring/gpu_power_1' c ,60.5,70.5
table 'Time,power_0,power_1' d ,60.5,70.5
table 'Time,gpu0_power_usage_report last custom,gpu1_power_usage_report last custom' e ,60.5,70.5
table 'Zeitstempel,GPU 0 Leistungsaufnahme (W),GPU 1 Leistungsaufnahme (W)' f ,60,70
table 'Time,psu 1 power,psu 2 power' g ,60,70
# A second header: units, or what the GPUs' columns are.
table 'time,power,temp
s,W,C' h ,60,40
table 'Time,GPU 0,GPU 0,GPU 1
,Power (W),Temp (C),Power (W)' i ,60,40,70
# Clocks by other names, and none: MHz.
printf '1781166000,GPU 0: Power draw,61 W\n1781166001,GPU 0: Power draw,61 W\n' | sed '1i clock,item,value' > j.csv
gpustat power j.csv -q -f csv | cut -d, -f1,5,15
printf 'clock,power_w\n1410,60\n1420,61\n' > k.csv
gpustat power k.csv -f csv 2>&1 >/dev/null
(echo step,wall_time,gpu_power; for i in $(seq 0 9); do echo "$i,$i.5,60.25"; done) > l.csv
gpustat power l.csv -q -f csv | cut -d, -f1,5,15
