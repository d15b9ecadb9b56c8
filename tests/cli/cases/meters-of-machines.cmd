# What desktops and laptops log: powermetrics, turbostat, HWiNFO, LibreHardwareMonitor, GPU-Z, Intel Power Gadget, xpu-smi.
exec 2>&1
answer() # FILE COLUMNS
{
    gpustat gpus "$1" -q -f csv | cut -d, -f "$2"
    gpustat map "$1" 2> /dev/null | sed -n 's/.*"rows": \([0-9]*\), "set_aside": \([0-9]*\).*"from": "\([^"]*\)".*/\1 rows, \2 set aside, from \3/p'
}
# Two blocks of 10 and 30 W, 08:00 behind UTC; what is of the time since boot, or of tasks, is none of it.
printf '%s\n' 'Machine model: Mac16,1' '*** Lifetime system activity (Fri Dec  5 21:00:00 2025 -0800) (0.00ms elapsed) ***' \
    'GPU Power: 7 mW' '' '*** Sampled system activity (Fri Dec  5 21:25:10 2025 -0800) (1000.30ms elapsed) ***' \
    '*** Running tasks ***' 'Browser Helper (GPU)   1628   58.88' 'CPU Power: 99 mW' \
    'GPU HW active residency:  25.00% (389 MHz: 2.9%)' 'GPU Power: 10000 mW' '' \
    '*** Sampled system activity (Fri Dec  5 21:25:11 2025 -0800) (1000.30ms elapsed) ***' \
    'GPU HW active residency:  75.00% (389 MHz: 2.9%)' 'GPU Power: 30000 mW' > mac.txt
answer mac.txt 4-7
printf 'turbostat version 20.09.30\ncpu0: MSR (1 W)\n' > turbo.txt
for k in 0 1; do
    printf 'Time_Of_Day_Seconds\tCore\tCPU\tBusy%%\tPkgWatt\tGFXWatt\n170000000%d.5\t-\t-\t9\t50\t%d\n' $k $((10 + 20 * k))
    printf '170000000%d.5\t0\t0\t9\t50\t%d\n170000000%d.5\t0\t2\t8\n' $k $((10 + 20 * k)) $k
done >> turbo.txt
answer turbo.txt 4,5
head='Date,Time,"Core VIDs (avg) [V]","CPU Package Power [W]","GPU Temperature [\xb0C]","GPU Core Power [W]","GPU ASIC Power [W]","GPU Clock [MHz]","GPU Utilization [%%]","GPU D3D Usage [%%]",\n'
{ printf "$head"; printf '27.3.2023,10:20:30.123,1.1,50,40,80,100,2000,50,9,\n27.3.2023,10:20:32.123,1.1,50,44,82,104,2000,54,9,\n'
  printf "$head"; printf ',,"CPU [#0]: A","CPU [#0]: A","GPU [#0]: B","GPU [#0]: B","GPU [#0]: B","GPU [#0]: B","GPU [#0]: B","GPU [#0]: B",\n'; } > hwinfo.csv
answer hwinfo.csv 4-7
{ echo ',/intelcpu/0/power/0,/gpu-nvidia/0/temperature/0,/gpu-nvidia/0/temperature/2,/gpu-nvidia/0/load/0,/gpu-nvidia/0/load/3,/gpu-nvidia/0/power/0'
  echo 'Time,"CPU Package","GPU Core","GPU Hot Spot","GPU Core","GPU Bus","GPU Package"'
  echo '"06/14/2021 18:20:33","30.5","45","60","55","1","120"'; echo '"06/14/2021 18:20:34","30.5","47","60","57","1","124"'; } > lhm.csv
answer lhm.csv 4-7
{ printf '        Date        , GPU Clock [MHz] , GPU Temperature [\xb0C] , GPU Load [%%] , Bus Interface Load [%%] , Board Power Draw [W] , GPU Chip Power Draw [W] , CPU Temperature [\xb0C] ,\0\0\0'
  printf '2024-04-11 14:43:15 ,  99.8 ,  47.0 ,  10 ,  1 , 100.0 , 80.0 , 46.0 ,\r\n2024-04-11 14:43:16 ,  99.8 ,  49.0 ,  20 ,  1 , 104.0 , 80.0 , 46.0 ,\r\n'; } > gpuz.txt
answer gpuz.txt 4-7
gpustat power gpuz.txt -f csv 2>&1 > /dev/null | grep 'taken from'
{ echo 'System Time,RDTSC,Elapsed Time (sec),CPU Utilization(%),Processor Power_0(Watt),IA Power_0(Watt),DRAM Power_0(Watt),Package PL1_0(Watt)'
  echo '18:51:13:298, 2757838693488233,    0.116,   14.000,  35.0,  27.9,   1.0, 135.0'
  echo '18:51:14:298, 2757839095974704,    1.116,   15.000,  37.0,  27.8,   1.0, 135.0'
  echo; echo 'Total Elapsed Time (sec) = 1.116'; echo '"Average Processor Power_0 (Watt) = 36.0"'; } > gadget.csv
answer gadget.csv 4,5
gpustat power gadget.csv -f csv 2>&1 > /dev/null | grep -E 'taken from|around'
{ echo 'Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Frequency (MHz), GPU Core Temperature (Celsius Degree)'
  echo '06:14:46.000,    0, 10.00, 100.0,  1500, 40'; echo '06:14:47.000,    0, 30.00, 104.0,  1500, N/A'; } > xpu.csv
answer xpu.csv 5-8
