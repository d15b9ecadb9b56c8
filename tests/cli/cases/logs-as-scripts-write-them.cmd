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
