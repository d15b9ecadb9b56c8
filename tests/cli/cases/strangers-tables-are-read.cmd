# Rules that files of strangers taught; each expected number is the mean of the column that a person would take.
# No header, and lengths of time that rise: they count from the beginning.
printf '%s\t130.5 W\t6%s C\t0\t%s\n' '5.19 ms' 7 '4.1 ms' '20.39 ms' 8 '18.2 ms' '35.40 ms' 9 '33.0 ms' > elapsed.tsv
# The power of the GPU before another's; a column whose texts never come again tells of no sensors.
printf 'timestamp, callchains, power, gpu_power\n' > chains.csv
for k in 0 1 2 3 4 5 6 7 8 9; do printf '0.%s26000, 0x%s;mem_map;cpu_idle, 33.0%s, 63.%s0\n' $k $k $k $k; done >> chains.csv
# A long table: the unit is the only one that the values of its name fit; its columns may have other names.
printf 'Time,Sensor,Reading\n2024-05-01T12:00:0%s.000Z,gpu_power,10%s.5\n2024-05-01T12:00:0%s.000Z,GPU Core Temperature,4%s\n' 0 0 0 0 1 4 1 2 > long.csv
for f in elapsed.tsv chains.csv long.csv
do
    gpustat gpus $f -q -f csv --show samples,power_mean_w,temp_mean_c
    gpustat map $f -v 2>&1 >/dev/null
done
# Of milliwatts in a long table the unit is to be said, as nothing but their size tells it.
printf 'time,metric,value\n2024-05-01T12:00:0%sZ,gpu_power,%s\n' 0 45010 1 45020 > milli.csv; gpustat power milli.csv
# Rows of one time: the column that may tell whose they are is named.
printf 'time,container,gpu_util,power_w\n2024-05-01T12:00:0%sZ,%s,5,%s\n' 0 web 10 0 train 90 1 web 11 1 train 91 > containers.csv
gpustat gpus containers.csv
gpustat gpus containers.csv --set samples.gpu=container -q -f csv --show gpu_uuid,samples,power_mean_w
# A spreadsheet leaves the seconds out: 24-05 is no month's, 5/3 may be.
for at in '2024-05-01 12:0' '5/24/2024 12:0' '5/3/2024 12:0'
do
    printf "time,power_w\n${at}%s,4%s\n" 0 0 1 1 2 2 > minutes.csv
    gpustat gpus minutes.csv -q -f csv --show energy_j,power_mean_w
done
gpustat gpus minutes.csv --set 'samples.time.unit=DD/MM/YYYY hh:mm' -q -f csv --show energy_j
# The memory and the heat beside a processor's load alone are none of a GPU.
printf 'Timestamp,Memory_Used_MB,CPU_Load,Temperature\n1752730551,45847,7.2,51\n1752730555,45847,6.9,52\n' > host.csv; gpustat gpus host.csv -q
# Python's gpustat, with colours and power, and without.
printf "node7     Wed May  1 12:00:0%s 2024  550.54\n[0] \033[34mTesla T4\033[0m | 60'C,  30 %%,  68 %%,  5%s /  70 W |  3712 / 15360 MB | root(3709M)\n[1] Tesla T4 | 41'C,   0 %% |     3 / 15360 MB |\n" 0 2 1 4 > print.txt
gpustat gpus print.txt -q -f csv --show hostname,gpu_uuid,samples,power_mean_w,temp_mean_c,gpu_util_mean_pct
# nvidia-smi on Windows: processes have colons in their paths, as buses have.
printf 'Thu Oct  9 23:47:4%s 2025\n| NVIDIA-SMI 581.29   Driver Version: 581.29   CUDA Version: 13.0 |\n|   0  Tesla T4     WDDM | 00000000:01:00.0 Off |   0 |\n| 30%%   38C    P0    2%sW /  70W |  105MiB / 15109MiB |   5%%   Default |\n|    0   N/A  N/A   11268    C+G   C:\\Windows\\explorer.exe    N/A      |\n' 5 6 7 8 > windows.txt
gpustat gpus windows.txt -q -f csv --show gpu_uuid,samples,power_mean_w
# A Jetson that is idle writes no share in front of the clock; its rails are mW all the same.
printf '05-01-2024 12:00:0%s RAM 284/7860MB (lfb 1808x4MB) CPU [48%%@2034,off] GR3D_FREQ @0 GPU@27.5C VDD_IN 1%s15/1915\n' 0 8 1 9 > tegra.log
gpustat gpus tegra.log -q -f csv --show samples,power_mean_w,temp_mean_c
# One run of codecarbon, as an object: a span, no reading.
printf '{"project_name": "train", "timestamp": "2025-06-18T05:44:44", "duration": 405.5, "emissions": 0.3, "energy_consumed": 0.001, "gpu_power": 472.9}\n' > run.json
gpustat events run.json -q -f csv --show event,n,duration_mean_ms; gpustat power run.json
