# Requests that run one after the other are as even as the steps of a training, and none.
{ echo 'timestamp,index,power.draw [W]'; for ((s = 0; s <= 60; s++)); do date -u -d "@$((1773144000 + s))" "+%Y/%m/%d %H:%M:%S.000, 0, $((300 + s % 2)) W"; done; } > gpu.csv
{ echo 'request_id,start_time,latency_s'; for ((i = 0; i < 25; i++)); do echo "r$i,$(date -u -d "@$((1773144005 + 2 * i))" +%FT%TZ),2"; done; } > requests.csv
gpustat report gpu.csv requests.csv -o page -q > /dev/null
grep -oE '^\*\*25 [a-z]+|Read as [a-z ]+' page/report.md
# A power that a counter is made of stands still where nothing is amiss; two GPUs without utilisation are not said to be busy.
{ echo 'time,gpu,energy_j'; for ((s = 0; s <= 600; s++)); do echo "$((1773144000 + s)),0,$((300 * s))"; done; } > counter.csv
gpustat power counter.csv 2>&1 | grep -c 'looks dead'
{ echo 'time,gpu,power_w'; for ((s = 0; s <= 200; s++)); do for g in 0 1 2; do echo "$((1773144000 + s)),$g,$((s / 50 % 2 ? (g == 1 ? 200 : 300) + s % 3 : 50))"; done; done; } > three.csv
gpustat gpus three.csv 2>&1 | grep -A 1 'GPU 1 '
