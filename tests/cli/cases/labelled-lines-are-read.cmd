# What people print for people: labels and readings, behind a time, before it, or below it.
printf '2025-03-04 01:37:2%s | Power Usage: 4%s.35W/320.0W | Memory Usage: 16.8%% | GPU Utilization: 1%s%%\n' 1 1 1 2 2 2 3 3 3 > bars.txt
printf 'Found 1 device\n\nPower: 42.772000W at Tue May  3 09:04:37 2022\n\nPower: 44.772000W at Tue May  3 09:04:38 2022\n\nPower: 4' > behind.log # the last is torn
printf '2024-12-07 17:03:1%s: SOM total power\n :     5%s20 mW\n' 2 1 4 3 > below.txt
printf '[2024-05-01 12:00:0%s] INFO - GPU 0: power=10%sW temp=40C util=5%% name=Tesla T4\n[2024-05-01 12:00:0%s] INFO - GPU 1: power=20%sW temp=50C util=6%% name=Tesla T4\n' 0 0 0 0 1 4 1 4 > gpus.log
printf 'Timestamp: 2024-05-01 12:00:0%s\nGPU Power: 10%s.5 W\nGPU Temp: 40 C\n---\n' 0 1 1 3 > blocks.txt
printf '===== 2024-11-19 19:40:10 =====\ncuda:0 NVIDIA A100 80GB PCIe: 56153 MiB free out of 81050 MiB total, temperature: 74 C\ncuda:1 NVIDIA A100 80GB PCIe: 80614 MiB free out of 81050 MiB total, temperature: 72 C\n' > cuda.txt
for f in bars.txt behind.log below.txt gpus.log blocks.txt cuda.txt
do
    gpustat gpus "$f" -q -f csv --show gpu_uuid,samples,power_mean_w,temp_mean_c,gpu_util_mean_pct
    gpustat map "$f" -q | grep -E '"(form|time|gpu|metrics|found)"'
done
# A list of numbers is of several GPUs, of which nobody says which is whose: no reading.
printf 'pool: eu1\nwatts: 118 120 119 120\nload: 0.6\n' > rig.log; gpustat power rig.log
# Prose with a label is none, and beside a log such lines are not looked for.
printf 'epoch 1: loss: 0.5, lr: 0.001\nepoch 2: loss: 0.4, lr: 0.001\n' > train.log; gpustat power train.log
mkdir run; cp bars.txt run; printf 'timestamp,power.draw [W]\n2024/05/01 12:00:00.000, 30 W\n' > run/gpu.csv; gpustat map run -q | grep -c labelled
