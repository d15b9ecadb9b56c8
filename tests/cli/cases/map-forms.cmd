# One small file of each form: what is understood, and that the printed map reads back to the same bytes.
show()
{
    gpustat map "$@" > map.json && grep -vE '^(\{|\}|  []"]|    [{}])' map.json
    gpustat map --map map.json 2> /dev/null | cmp - map.json
}
printf 'timestamp, index, uuid, power.draw [W], utilization.gpu [%%]\n2024/05/01 12:00:00.000, 0, GPU-a, 22.19 W, 5 %%\ntimestamp, index, uuid, power.draw [W], utilization.gpu [%%]\n2024/05/01 12:00:01.000, 0, GPU-a, [N/A], 6 %%\n2024/05/01 12:00:02.0' > smi.csv
show smi.csv
printf '\377\376' > utf16.csv; printf 'timestamp, power.draw [W]\r\n2024/05/01 12:00:00.000, 30 W\r\n' | sed 's/./&\x00/g; s/\n/\n/' | tr -d '\n' > /dev/null
printf 'timestamp, power.draw [W]\n2024/05/01 12:00:00.000, 30 W\n' | while IFS= read -r -n1 -d '' c; do printf '%s\0' "$c"; done >> utf16.csv
show utf16.csv
printf '#Date       Time        gpu   pwr gtemp    sm   mem\n#YYYYMMDD   HH:MM:SS    Idx     W     C     %%     %%\n 20240501   12:00:00      0    27    23     0     0\n 20240501   12:00:00      1    26     -     0     0\n 20240501   12:00:01      0    2' > dmon.log
show dmon.log
printf '05/01/2024 13:00:00;E;11.srv;user=ann queue=gpu jobname=train start=1714564800 exec_host=n1/0*8 Resource_List.select=1:ncpus=8:ngpus=4 end=1714568400 Exit_status=0\n' > 20240501
show 20240501
printf '00, 01-05-2024 12:00:00, Hardware monitoring log v1.6 \n02, 01-05-2024 12:00:00, GPU usage ,Power \n03, 01-05-2024 12:00:00, 0 ,%% ,0.000\n03, 01-05-2024 12:00:00, 1 ,W ,0.000\n80, 01-05-2024 12:00:00, 8.000 ,96.9\n80, 01-05-2024 12:00:01, 8.0' > game.hml
show game.hml
printf 'time;host;gpu0_power_w;gpu1_power_w;total_power_w;cpu_power_w\n2024-05-01T12:00:00Z;n1;100;200;300;50\n' > wide.csv
show wide.csv
printf 'timestamp\thost\tgpu\tmetric\tvalue\n2024-05-01T12:00:00Z\tn1\t0\tpower_w\t100\n2024-05-01T12:00:00Z\tn1\t0\ttemp_c\t40\n' > long.tsv
show long.tsv
printf '{"_timestamp": 1714564800.5, "system.gpu.0.powerWatts": 27.79, "system.gpu.0.gpu": 4, "system.gpu.1.powerWatts": 30}\n' > wandb.jsonl
show wandb.jsonl
printf 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-a",Hostname="n1"} 70.5 1714564800000\nDCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-a",Hostname="n1"} 40 1714564800000\n' > dcgm.prom
show dcgm.prom
printf '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","UUID":"GPU-a","instance":"n1:9400"},"values":[[1714564800,"70.5"],[1714564815.5,"71"]]}]}}' > range.json
show range.json
printf 'nvidia_smi,host=n1,index=0,name=Tesla\\ T4,uuid=GPU-a power_draw=26.5,utilization_gpu=100i 1714564800000000000\n' > telegraf.lp
show telegraf.lp
printf '05-01-2024 12:00:00 RAM 2274/6834MB (lfb 100x4MB) CPU [1%%@729] GR3D_FREQ 22%%@[305] cpu@40C gpu@38C GPU@38C VDD_IN 5542mW/5542mW\n' > tegra.log
show tegra.log
printf 'Tue Oct 29 12:00:00 2024\n| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13    CUDA Version: 12.0     |\n|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n| 30%%   38C    P0    26W /  70W |    105MiB / 15109MiB |      5%%      Default |\n' > table.txt
show table.txt
printf '==============NVSMI LOG==============\nTimestamp   : Tue Oct 29 12:00:01 2024\nGPU 00000000:00:04.0\n    GPU UUID  : GPU-abc\n    Power Readings\n        Power Draw   : 26.50 W\n    Utilization\n        Gpu   : 5 %%\n' > q.txt
show q.txt
printf '{"resourceMetrics":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"n1"}}]},"scopeMetrics":[{"metrics":[{"name":"power_w","gauge":{"dataPoints":[{"asDouble":70.5,"timeUnixNano":"1714564800000000000"}]}}]}]}]}' > otlp.json
show otlp.json
mkdir job; printf '{"acc_power":{"accelerator":{"unit":{"base":"W"},"timestep":60,"series":[{"hostname":"n1","id":"0","data":[101.5,99,null]}]}},"cpu_power":{"node":{"unit":{"base":"W"},"timestep":60,"series":[{"hostname":"n1","data":[50,51,52]}]}}}' > job/data.json
printf '{"jobId":7,"startTime":1714564800,"duration":180,"resources":[{"hostname":"n1"}]}' > job/meta.json
gpustat map job | grep -E 'origin|metrics|found|host'
gpustat events job --join window -f csv -q | cut -d, -f 1-3,10,14-17
# A unit that lies, and rows that add up.
printf 'timestamp,Power (mW)\n2024-05-01T12:00:00Z,4.2\n' > lies.csv; gpustat map lies.csv > /dev/null
printf 'timestamp,project_name,run_id,duration,emissions,energy_consumed\n2024-05-01T12:00:10,p,r,10.2,0,0.001\n2024-05-01T12:00:20,p,r,20.1,0,0.002\n' > carbon.csv; gpustat map carbon.csv > /dev/null
