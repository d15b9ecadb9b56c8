# What real logs of a seventh draw, and forms that people invented, taught; each figure is known from its rows.
means() { gpustat gpus "$1" -q -f csv --show gpu_uuid,samples,"$2"; }
# tegrastats behind a script's own epoch
for s in 3 4; do echo "173964585$s.5---RAM 1101/7850MB (lfb 451x4MB) CPU [1%@1833] GR3D_FREQ $s%@114 PLL@38.5C VDD_IN ${s}000/2000"; done > epoch.log
gpustat map epoch.log -q | grep -o '"from": .*Z"'
# German: heat, load and power
printf 'Zeit;Leistung (W);Temperatur (\302\260C);Auslastung (%%)\n01.05.2024 12:00:00;100,5;50;40\n01.05.2024 12:00:01;102,5;52;60\n' > german.csv
means german.csv power_mean_w,temp_mean_c,gpu_util_mean_pct
# DCGM's fields by number: the columns of dcgmi dmon -e 155,150,203 where it was not asked for names
printf '#Entity   155   150   203\nID\nGPU 0     100.5   50   60\nGPU 1     200.5   51   61\nGPU 0     102.5   52   62\nGPU 1     202.5   53   63\n' > fields.txt
gpustat power fields.txt -q -f csv --show gpu,power_mean_w
# milliwatts that no name says, and watts that are no milliwatts since they have a fraction
printf 'time,power\n1700000000,45000\n1700000001,47000\n' > milli.csv
means milli.csv power_mean_w
printf ',timestamp,GPU 0,GPU 1\n0,1721411407.7,650.5,600.5\n1,1721411437.7,652.5,602.5\n' > run-power.csv
gpustat gpus run-power.csv -v -f csv --show gpu_uuid,power_mean_w 2>&1 | grep -v 'note: [^r]'
# a power without values asks for no unit
printf 'timestamp,power,temp\n1700000000,,50\n1700000001,,52\n' > empty.csv
means empty.csv power_mean_w,temp_mean_c
# figures of one run, and cards that are listed, are no readings
printf 'field,value\nelapsed_s,7.8\navg_power_w,13.5\navg_gpu_util_pct,77.2\nmax_temp_c,59.2\n' > summary.csv
gpustat gpus summary.csv
printf 'GPU Name;Memory (MB);Memory type\nGT610;2048;GDDR3\nGT730;1024;GDDR5\n' > cards.csv
gpustat gpus cards.csv
# nvidia-smi without a header or units: its powers alone have two digits behind the point
printf '2026/02/22 23:20:03.856, 0, NVIDIA GeForce RTX 4060, 9, 0, 1284, 8188, 65, 13.15, 1470\n2026/02/22 23:20:04.860, 0, NVIDIA GeForce RTX 4060, 18, 1, 1284, 8188, 66, 12.85, 1470\n2026/02/22 23:20:05.860, 0, NVIDIA GeForce RTX 4060, 14, 0, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:06.860, 0, NVIDIA GeForce RTX 4060, 9, 1, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:07.860, 0, NVIDIA GeForce RTX 4060, 9, 1, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:08.860, 0, NVIDIA GeForce RTX 4060, 9, 1, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:09.860, 0, NVIDIA GeForce RTX 4060, 9, 1, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:10.860, 0, NVIDIA GeForce RTX 4060, 9, 0, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:11.860, 0, NVIDIA GeForce RTX 4060, 9, 0, 1284, 8188, 67, 13.75, 1470\n2026/02/22 23:20:12.860, 0, NVIDIA GeForce RTX 4060, 9, 0, 1284, 8188, 67, 13.75, 1470\n' > nounits.csv
means nounits.csv power_mean_w
gpustat gpus nounits.csv -v -f csv 2>&1 > /dev/null | grep -o 'no header.*'
# small numbers that come in turns may be GPUs: nothing is merged
printf '2026/02/22 23:20:03.856, 0, 10.15\n2026/02/22 23:20:03.859, 3, 20.15\n2026/02/22 23:20:04.856, 0, 12.15\n2026/02/22 23:20:04.859, 3, 22.15\n' > turns.csv
gpustat gpus turns.csv
# the one share is the load, the one size what is used, in a file that is called for a GPU
printf '2024-05-01 12:00:00, 40 %%, 1000 MiB\n2024-05-01 12:00:01, 60 %%, 1002 MiB\n' > gpu.log
means gpu.log gpu_util_mean_pct,mem_used_mean_mib
cp gpu.log disk.log
gpustat gpus disk.log
# a table by columns, in one object of JSON
echo '{"gpu": "A100", "timestamps": [1700000000, 1700000001], "power_w": [100.5, 102.5], "temp_c": [50, 52], "events": ["a"]}' > columns.json
means columns.json power_mean_w,temp_mean_c
# Markdown: the line below the header is none of the rows; and what stands below a line behind the rows is their summary
printf '| time | power (W) | temp (C) |\n|---|---|---:|\n| 2024-05-01 12:00:00 | 100.5 | 50 |\n| 2024-05-01 12:00:01 | 102.5 | 52 |\n' > table.md
means table.md power_mean_w,temp_mean_c
printf 'time,gpu,power_w\n1700000000,0,100\n1700000001,0,102\n-----,-----,-----\nmean,0,101\nmax,0,102\n' > summed.csv
means summed.csv power_mean_w
# rows without a header, under a line of date each
printf '2024-05-01 12:00:00\n0, 100.50, 50\n1, 200.50, 51\n2024-05-01 12:00:01\n0, 102.50, 52\n1, 202.50, 53\n' > dates.log
means dates.log power_mean_w
gpustat gpus dates.log -v -f csv 2>&1 > /dev/null | grep -o 'no header.*'
gpustat gpus dates.log -q -f csv --show gpu_uuid,power_mean_w --set samples.columns=gpu,power_w,-
# powerstat and intel_gpu_top as they print for people: the summary is no row
printf 'Running for 60.0 seconds (60 samples at 1.0 second intervals).\n\n  Time    User  Nice   Sys  Idle    IO  Run Ctxt/s  IRQ/s Fork Exec Exit  Watts\n10:00:00   1.0   0.0   0.5  98.5   0.0    1    900    400    0    0    0  100.50 \n10:00:01   1.0   0.0   0.5  98.5   0.0    1    900    400    0    0    0  102.50 \n-------- ----- ----- ----- ----- ----- ---- ------ ------ ---- ---- ---- ------ \n Average   1.0   0.0   0.5  98.5   0.0  1.0  900.0  400.0  0.0  0.0  0.0 101.50 \n' > powerstat.txt
means powerstat.txt power_mean_w
printf ' Freq MHz      IRQ RC6     Power W             RCS             BCS \n req  act       /s   %%   gpu   pkg       %%  se  wa       %%  se  wa\n 1215 1200       45   0  10.25 48.00   63.00   0   0    0.00   0   0\n Freq MHz      IRQ RC6     Power W             RCS             BCS \n req  act       /s   %%   gpu   pkg       %%  se  wa       %%  se  wa\n 1215 1200       45   0  12.25 49.00   65.00   0   0    0.00   0   0\n' > top.txt
gpustat power top.txt -q -f csv --show kept,power_mean_w
# Grafana's rows, whose names hold the GPU
printf 'Series,Time,Value\nGPU 0 power,1700000000,100.5\nGPU 1 power,1700000000,200.5\nGPU 0 temp,1700000000,50\nGPU 0 power,1700000001,102.5\nGPU 1 power,1700000001,202.5\nGPU 0 temp,1700000001,52\n' > grafana.csv
means grafana.csv power_mean_w,temp_mean_c
# cpu and gpu: both are loads, as an index has no parts of one
printf 'time,cpu,gpu,mem\n1700000000,6.6,0.25,0.38\n1700000001,5.0,0.75,0.38\n' > loads.csv
means loads.csv gpu_util_mean_pct
# energies of each row are no counter, which would have begun anew at each fall
printf 'time,total_power_watts,energy_wh\n0,600,10\n60,1200,20\n120,600,10\n180,1200,20\n240,600,10\n' > intervals.csv
gpustat gpus intervals.csv -v -f csv --show power_mean_w 2>&1 | grep -v 'note: \(times\|no file\|its\)'
# a rail that names the GPU, in a file that is called for power; its clock and heat are none
printf 'time,GPU+SOC,CPU+CV,GPU temp\n0.05,3202,1600,40\n0.10,3402,1600,41\n0.15,5202,1600,42\n' > power.csv
means power.csv power_mean_w
gpustat gpus power.csv -v -f csv 2>&1 > /dev/null | grep -o "column 'GPU+SOC'.*"
# what is no telemetry of a GPU: a carbon intensity, tenths of degrees, heat in prose, runs with their energies
printf '{"header":{"reportId":"a"},"environment":{"powerSource":"nuclear","powerSourceCarbonIntensity":25}}' > report.json
gpustat gpus report.json
printf 'time,temperature,voltage\n1700000000,343,4088\n1700000001,344,4088\n' > battery.csv
gpustat gpus battery.csv
printf '[ 27.2] INFO dock-B battery at 57%%, cell delta 17 mV, temp 22.3 C\n[ 46.1] INFO aisle-2 battery at 92%%, cell delta 38 mV, temp 33.0 C\n' > mission.log
gpustat gpus mission.log
printf 'Model,Latency_sec,Energy_J,Power_W\nllama,69.7,5001.7,71.6\nmistral,84.8,6100.4,71.8\nphi,12.1,900.4,71.2\n' > models.csv
gpustat power models.csv
# of a line's readings that of the whole package, not the first with a unit
printf '2025-09-10 10:02:41,639 - DEBUG - Collected power: core=0.5W, package=1.5W, VMs=1\n2025-09-10 10:02:42,639 - DEBUG - Collected power: core=0.5W, package=2.5W, VMs=1\n' > package.log
means package.log power_mean_w
# a summary beside a table, below no name
printf 'time\tTemp_GPU\tBoard_Watts\t\t\n1700000000\t43\t3.5\tMax\t67\n1700000001\t45\t4.5\tMin\t43\n' > beside.tsv
means beside.tsv power_mean_w,temp_mean_c
# a summary in one object of JSON; microwatts that no name says
printf '{"total_samples": 110, "power_draw_w": {"avg": 212.6, "max": 247.6}}' > figures.json
gpustat power figures.json
printf 'time energy_total power\n3.97 210328741 5.2e+07\n4.01 210863201 5.4e+07\n4.08 211637809 5.6e+07\n' > micro.log
means micro.log power_mean_w
