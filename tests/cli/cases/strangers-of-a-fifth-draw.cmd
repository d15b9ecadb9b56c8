# What real logs of a fifth draw taught; each figure is known from its rows.
means() { gpustat gpus "$1" -q -f csv --show gpu_uuid,samples,"$2"; }
# HWiNFO in another language: what is measured names no GPU, 20 W and not one GPU for each voltage
printf '\xef\xbb\xbfDate,Time,"GPU \xe6\xb8\xa9\xe5\xba\xa6 [\xe2\x84\x83]","GPU \xe7\x94\xb5\xe5\x8e\x8b [V]","GPU \xe5\x8a\x9f\xe7\x8e\x87 [W]"\n22.3.2025,21:38:49.3,28.5,0.885,10\n22.3.2025,21:38:51.3,29.5,0.945,30\n' > chinese.csv
means chinese.csv power_mean_w,temp_mean_c
# the chip's power, not that of its core or of a regulator; the GPU's memory's clock, not the machine's
printf 'Date,Time,CPU Package Power [W],Core #0 Clock [MHz],Memory Clock [MHz],GPU Core Power [W],GPU Chip Power [W],GPU VRM Power In (PIN) [W],GPU Clock [MHz],GPU Memory Clock [MHz]\n20.2.2017,17:59:36.2,53,3300,998,80,100,90,1160,3000\n20.2.2017,17:59:38.2,53,3300,998,82,102,92,1160,3000\n' > hwinfo.csv
means hwinfo.csv power_mean_w,sm_clock_mean_mhz,mem_clock_mean_mhz
gpustat gpus hwinfo.csv -v -f csv 2>&1 > /dev/null | grep -o 'power is taken.*'
# where the GPU names no clock of its memory, that of a memory is the machine's
cut -d, -f 1-9 hwinfo.csv > integrated.csv
gpustat gpus integrated.csv -q -f csv | head -n 1 | tr , '\n' | grep clock_mean
# nvidia-smi's clocks are all its own
printf 'timestamp, clocks.current.graphics [MHz], clocks.current.sm [MHz], clocks.current.memory [MHz], power.draw [W], cpu_percent\n2024/05/01 12:00:00.000, 1410 MHz, 1400 MHz, 1215 MHz, 90.00 W, 12\n2024/05/01 12:00:01.000, 1410 MHz, 1400 MHz, 1215 MHz, 90.00 W, 12\n' > smi.csv
means smi.csv sm_clock_mean_mhz,mem_clock_mean_mhz
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
# a part of the GPU's power before the whole board's
printf 'epoch_s,gpu_soc_mw,cpu_cv_mw,sys_5v0_mw,total_mw,vddq_mw\n1786585666.5,5000,1500,4500,11000,400\n1786585667.5,7000,1500,4500,13000,400\n' > rails.csv
means rails.csv power_mean_w
# GPUtil's load is a share of 1
printf 'timestamp,gpu_load,gpu_temp\n1700000000,0.25,50\n1700000001,0.75,52\n' > load.csv
means load.csv temp_mean_c,gpu_util_mean_pct
gpustat gpus load.csv -v -f csv 2>&1 > /dev/null | grep -o "column 'gpu_load'.*"
# intel_gpu_top -c and -J, macmon: watts that no name says
printf 'Freq MHz req,Freq MHz act,Power W gpu,Power W pkg,RCS %%\n350,350,1.25,7,40\n350,350,1.75,8,50\n' > intel.csv
gpustat power intel.csv -q -f csv --show power_mean_w,kept
printf '[{"period":{"duration":1000,"unit":"ms"},"frequency":{"actual":350,"unit":"MHz"},"rc6":{"value":40},"power":{"GPU":2,"Package":7,"unit":"W"}},\n{"period":{"duration":1000,"unit":"ms"},"frequency":{"actual":350,"unit":"MHz"},"rc6":{"value":40},"power":{"GPU":4,"Package":7,"unit":"W"}}]\n' > intel.json
gpustat power intel.json -q -f csv --show power_mean_w,kept
for s in 15 16; do echo "{\"timestamp\":\"2025-02-24T20:38:$s+00:00\",\"temp\":{\"cpu_temp_avg\":43.7,\"gpu_temp_avg\":$s},\"gpu_usage\":[461,0.02],\"cpu_power\":0.2,\"gpu_power\":0.$s,\"ane_power\":0.0,\"all_power\":0.5,\"sys_power\":5.8}"; done > macmon.jsonl
means macmon.jsonl power_mean_w,temp_mean_c
# readings in a list below any key, if they say their times; what stands around them is of the run
printf '{"run":"a","start_time":"2024-05-01T12:00:00Z","samples":[{"timestamp":1714564800,"gpu":0,"power_w":10},{"timestamp":1714564800,"gpu":1,"power_w":20},{"timestamp":1714564801,"gpu":0,"power_w":12},{"timestamp":1714564801,"gpu":1,"power_w":22}],"end_time":"2024-05-01T13:00:00Z"}\n' > list.json
means list.json power_mean_w
# month, day and time of day in two columns: the 17th is no month
printf 'date,time,power_w\n04/17/2020,21:44:00.5,10\n04/17/2020,21:44:01.5,12\n' > american.csv
gpustat map american.csv -q | grep -o '"from": .*Z'
# numbers alone are what their file is called: a load is no power
printf '10\n20\n30\n' > gpu_utilization.txt
means gpu_utilization.txt gpu_util_mean_pct
gpustat power gpu_utilization.txt
cp gpu_utilization.txt gpu_power.log
gpustat power gpu_power.log -q -f csv --show power_mean_w,kept
# means of runs with the time of each are no log
printf 'timestamp,model,elapsed_s,avg_power_w\n2025-08-27T16:12:25,a,15,143\n2025-08-27T16:13:25,b,16,145\n2025-08-27T16:14:25,c,12,144\n' > means.csv
gpustat gpus means.csv
gpustat power means.csv
