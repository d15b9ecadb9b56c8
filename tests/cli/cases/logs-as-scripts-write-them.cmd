# What loops and loggers leave behind: each file holds 100 W and 300 W at 12:00:00 and 12:00:01, 40 and 42 C.
t='2024-05-01 12:00:0'
ipmi='    Instantaneous power reading:         %s Watts\n    Average power reading over sample period:   50 Watts\n    IPMI timestamp:           Wed May  1 12:00:0%s 2024\n    Sampling period:          00000001 Seconds.\n'
printf "$ipmi" 100 0 300 1 > ipmi.txt # each block ends with its time
printf "${t}0\n${ipmi}${t}1\n${ipmi}" 100 7 300 9 > ipmi-loop.txt # the time of the loop, not the sensor's
printf "$t%s,123 - INFO - GPU 0 | Power: %s W | Temp: %s C\n$t%s,123 - INFO - GPU 1 | Power: %s W | Temp: %s C\n" 0 100 40 0 100 40 1 300 42 1 300 42 > logging.log
printf "=== Time: $t%s ===\nindex, power.draw [W], temperature.gpu\n0, %s W, %s\n" 0 100 40 1 300 42 > banner.txt
printf '"Step","Timestamp","system.gpu.0.powerWatts","system.gpu.0.temp","system.gpu.0.gpu"\n1,1714564800000,100,40,5\n2,1714564801000,300,42,6\n3,1714564802000,200,41,6\n' > wandb.csv
printf 'Wall time,Step,Value\n1714564800.5,1,100\n1714564801.5,2,300\n' > gpu_power.csv
printf "Zeit;Leistung (W)\n${t}0;100,0\n${t}1;300,0\n" > zeit.csv
printf "time,Avg Power (W),Current Power (W),Max Power (W)\n${t}0,50,100,900\n${t}1,60,300,900\n" > current.csv
printf "[${t}%s] GPU 0: power=%sW temp=%sC mem=%sMiB\n" 0 100 40 1000 1 300 42 2000 > mem.log
printf '[{"host":{"consumption":100000000.0,"timestamp":1714564800.0},"consumers":[]},{"host":{"consumption":300000000.0,"timestamp":1714564801.0},"consumers":[]}]' > scaphandre.json
printf '[{"timestamp":171456480%s,"gpu":0,"power_usage":{"value":%s,"unit":"W"},"hotspot_temperature":{"value":%s,"unit":"C"},"gfx":{"value":5,"unit":"%%"},"vram_used":{"value":1000,"unit":"MB"}}]\n' 0 100 40 1 300 42 > amd-smi.json
printf 'nv_gpu_power_usage{gpu_uuid="GPU-0"} %s 171456480%s000\nnv_gpu_utilization{gpu_uuid="GPU-0"} 0.05 171456480%s000\n' 100 0 0 300 1 1 > triton.prom
for f in ipmi.txt ipmi-loop.txt logging.log banner.txt wandb.csv gpu_power.csv zeit.csv current.csv mem.log scaphandre.json amd-smi.json triton.prom
do
    echo "$f: $(gpustat map "$f" -q | grep '"found"' | sed 's/.*"gpus"/"gpus"/')"
done
# A GPU that fell off is still the same; a Jetson's lines within a second are of its one GPU; times amid a line; a file's name.
smi='+-----+\n| NVIDIA-SMI 535.54.03              Driver Version: 535.54.03    CUDA Version: 12.2     |\n|   0  NVIDIA GeForce RTX 3070       %s | 00000000:01:00.0%s |                  N/A |\n|%s |\n+-----+\n'
printf "Wed May  1 12:00:00 2024\n${smi}Wed May  1 12:00:01 2024\n${smi}" 'Off ' ' On' '  0%%   40C    P2             100W / 220W | 1000MiB /  8192MiB |      5%%      Default' 'ERR!' 'ERR!' 'ERR!  ERR! ERR!              ERR! / ERR! | GPU is lost          |    ERR!         ERR!' | sed 's/%%/%/g' > lost.txt
printf '05-01-2024 12:00:0%s RAM 2576/7620MB (lfb 104x4MB) CPU [0%%@1728] GR3D_FREQ %s%%@[1018] gpu@40C VDD_IN %s00mW/3000mW\n' 0 1 40 0 2 41 0 3 42 1 4 43 1 5 44 1 6 45 > tegra.log
printf "Total Runtime: %s.5 seconds, Timestamp: ${t}%s, GPU Memory Allocated: %s.45 MB, GPU Memory Reserved: 14578.00 MB\n" 0 0 14432 1 1 14440 > amid.txt
printf "${t}%s,%s\n" 0 40.5 1 41.5 > temp_log.csv
printf '{"experiment":"T7","elapsed_min":157.7,"power_w":12.4,"temp_c":58,"timestamp":"2026-05-05T07:43:30"}\n' > run.json
for f in lost.txt tegra.log amid.txt temp_log.csv run.json
do
    echo "$f: $(gpustat map "$f" -q 2>&1 | grep -E '"found"|gpustat:' | sed 's/.*"gpus"/"gpus"/')"
done
gpustat power temp_log.csv
