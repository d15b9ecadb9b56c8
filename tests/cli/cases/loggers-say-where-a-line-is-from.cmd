# One GPU, 300 W from 23:59:00 of 2024-12-31 to 00:01:00, else 60 W. Twelve steps of 10 s are 36 kJ (10 Wh); two ranks
# may write each.
exec 2> /dev/null
awk 'BEGIN { print "timestamp,power.draw [W],utilization.gpu [%]"; for (i = 0; i < 300; i++) { on = i >= 60 && i < 180; printf "%d,%d W,%d\n", 1735689480 + i, on ? 300 : 60, on ? 99 : 0 } }' > gpu.csv
log() { for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf "$(LC_ALL=C TZ=UTC date -d @$((1735689540 + 10 * i)) "+$1")$2\n" $i; done; }
log '[%Y-%m-%d %H:%M:%S' ',000] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=0, lr=[1e-05], time=10.0' > rank.log
log '[%Y-%m-%d %H:%M:%S' ',000][INFO][rank0] iter: %d/12 loss: 2.1 time: 10.0 s' | sed 'p; s/rank0/rank1/' > ranks.log
for f in rank ranks; do
    gpustat gpu.csv $f.log --tz UTC | grep Read
    gpustat events gpu.csv --events $f.log --tz UTC --format csv --show event,n,duration_mean_ms,energy_sum_j 2> /dev/null
done

# A number in brackets may be a GPU.
for i in 0 1 2 3; do for g in 0 1; do echo "2025-06-10 08:00:0$i [gpu$g] power: 2${g}0 W temp: 60 C"; done; done > gpus.log
sed 's/ \[gpu\(.\)\]/ gpu[\1]:/' gpus.log > colon.log
for f in gpus colon; do gpustat gpus $f.log --tz UTC --format csv --show gpu,power_mean_w; done

# A second line at the instant of each step has no step.
log '[%Y-%m-%d %H:%M:%S' ',000] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=0, lr=[1e-05]' | sed 'p; s/log_dist.*=\(.*\), sk.*/stop] micro_step=\1\/global_step=\1, CurrSamplesPerSec=8.2/' > timer.log
sed -n 2p timer.log
gpustat events gpu.csv --events timer.log --tz UTC --format csv --show event,n,duration_mean_ms,energy_sum_j
