# Steps in ms without a unit last longer than the log, and the load of a GPU that is never idle tells no start: what needs no events
# goes on without them and names the file. Lists of two things are read together.
{ echo timestamp,gpu,power_w; for t in $(seq 0 2 120); do echo "$((1714564800 + t)),0,$((t > 20 && t < 100 ? 300 : 60))"; done; } > gpu.csv
{ echo step,step_time; for i in $(seq 0 19); do echo "$i,$((2000 + i % 2))"; done; } > ms.csv
for command in gpus check summary; do gpustat $command gpu.csv ms.csv -q -f csv > out && gpustat $command gpu.csv ms.csv 2>&1 > out | grep ms.csv; done
gpustat events gpu.csv ms.csv; echo $?
gpustat events gpu.csv ms.csv --set events.duration.unit=ms -q -f csv | cut -d, -f 1-3,15
sed 's/300$/60/' gpu.csv > idle.csv
gpustat gpus idle.csv ms.csv 2>&1 > out | grep ms.csv
gpustat events idle.csv ms.csv; echo $?
steps() { echo "$1,start,stop"; for i in $(seq 0 9); do echo "$i,$((1714564800 + $2 + 2 * i)),$((1714564802 + $2 + 2 * i))"; done; }
steps step 22 > train.csv; steps batch 62 > eval.csv
gpustat events gpu.csv train.csv eval.csv -q -f csv | cut -d, -f 1-3,15
mkdir dir && cp gpu.csv train.csv eval.csv dir && gpustat events dir -q -f csv | cut -d, -f 1-3,15
cp train.csv dir/again.csv && gpustat events dir; echo $?
