# What real logs of a fifth draw taught; each figure is known from its rows.
means() { gpustat gpus "$1" -q -f csv --show gpu_uuid,samples,"$2"; }
# HWiNFO in another language: what is measured names no GPU, 20 W and not one GPU for each voltage
printf '\xef\xbb\xbfDate,Time,"GPU \xe6\xb8\xa9\xe5\xba\xa6 [\xe2\x84\x83]","GPU \xe7\x94\xb5\xe5\x8e\x8b [V]","GPU \xe5\x8a\x9f\xe7\x8e\x87 [W]"\n22.3.2025,21:38:49.3,28.5,0.885,10\n22.3.2025,21:38:51.3,29.5,0.945,30\n' > chinese.csv
means chinese.csv power_mean_w,temp_mean_c
# the chip's power, not that of its core or of a regulator; the GPU's memory's clock, not the machine's
printf 'Date,Time,CPU Package Power [W],Memory Clock [MHz],GPU Core Power [W],GPU Chip Power [W],GPU VRM Power In (PIN) [W],GPU Clock [MHz],GPU Memory Clock [MHz]\n20.2.2017,17:59:36.2,53,998,80,100,90,1160,3000\n20.2.2017,17:59:38.2,53,998,82,102,92,1160,3000\n' > hwinfo.csv
means hwinfo.csv power_mean_w,sm_clock_mean_mhz,mem_clock_mean_mhz
gpustat gpus hwinfo.csv -v -f csv 2>&1 > /dev/null | grep -o 'power is taken.*'
# where the GPU names no clock of its memory, that of a memory is the machine's
cut -d, -f 1-8 hwinfo.csv > integrated.csv
gpustat gpus integrated.csv -q -f csv | head -n 1 | tr , '\n' | grep clock_mean
# a clock that the header says twice is of two GPUs: it is not read, the rest is
printf 'Date,Time,GPU Clock [MHz],GPU Power [W],GPU Clock [MHz]\n20.2.2017,17:59:36.2,300,10,210\n20.2.2017,17:59:38.2,300,14,1500\n' > two.csv
means two.csv power_mean_w
gpustat gpus two.csv -v -f csv 2>&1 > /dev/null | grep -o 'not read: .*'
# a mode is a setting, no power
printf 'timestamp,model,power_mode,tokens_per_s\n2025-08-27T16:12:25,llama3,15W,4.8\n2025-08-27T16:13:25,llama3,15W,4.9\n' > mode.csv
gpustat power mode.csv
# rows of runs, which say how long each took: no clock where they go back, and no readings of moments
printf 'model,elapsed_s,avg_watts,joules_total\nm,4.23,143,601\nm,4.21,145,608\nm,4.25,144,590\n' > runs.csv
gpustat gpus runs.csv
printf 'run,execution_time,gpu_usage\na,49.8,95.5\nb,15.4,0.2\n' > runs.csv
gpustat gpus runs.csv
# GPU-0, GPU-1 in a column called name
printf 'time,name,temp,power_watts\n1700000000,GPU-0,72,280\n1700000000,GPU-1,68,260\n1700000001,GPU-0,72,284\n1700000001,GPU-1,68,264\n' > named.csv
means named.csv power_mean_w,temp_mean_c
# a line of tegrastats in a quoted cell above the table that a parser made of it
printf '"10-26-2025 05:10:54 RAM 6879/62841MB (lfb 3x4MB) CPU [5%%@729] GR3D_FREQ 0%%@[305,305] gpu@43.218C\n"\nIndex,Time (mS),Used RAM (MB),Used GR3D (%%),cpu Temperature (C),gpu Temperature (C)\n0,0,6879,10,47,43\n1,500,6878,30,47,45\n2,1000,6878,20,47,44\n' > parsed.csv
means parsed.csv temp_mean_c,gpu_util_mean_pct
