# The GPU takes 300 W from 12:01:00 to 12:09:00, else 60 W. One time in a banner is not that of the steps below it.
exec 2>&1
mkdir bare lengths headings fast
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 600; i++) printf "2024-05-01T12:%02d:%02dZ, %d W\n", i / 60, i % 60, (i >= 60 && i < 540 ? 300 : 60) }' > gpu.csv
for d in bare lengths headings fast; do cp gpu.csv $d; done
banner='Job 4711 started on node01 at 2024-05-01 12:00:20'
{ echo "$banner"; for i in $(seq 96); do echo "step $i/96 | loss 2.$i"; done; } > bare/slurm-4711.out
{ echo "$banner"; for i in $(seq 96); do echo "step $i/96 loss=2.$i time=5.0s"; done; } > lengths/slurm-4711.out
for e in 0 1 2 3 4 5 6 7; do echo "==== 2024-05-01 12:0$e:30 epoch $e"; for i in $(seq 12); do echo "step $((12 * e + i))/96 loss=2.$i time=5.0s"; done; done > headings/slurm-4711.out
for i in $(seq 0 199); do echo "2024-05-01 12:01:$((10 + i / 10)) step $i/200 loss=2.$i"; done > fast/train.log # ten a second
gpustat events bare
gpustat events bare/gpu.csv bare/slurm-4711.out
for d in lengths headings fast; do gpustat events $d -q -f csv --show event,n,duration_mean_ms,energy_sum_j; done
gpustat events lengths 2>&1 > /dev/null | grep aligned
