# Steps of 5 s at 100 W are 500 J each; their log has times of day alone, before and behind midnight, and the samples have dates.
exec 2>&1
unset GPUSTAT_VERBOSE
samples() { awk -v from="$1" -v to="$2" -v every="$3" 'BEGIN { print "timestamp,power.draw [W]"; for (t = from; t <= to; t += every) printf "%s, 100 W\n", strftime("%Y-%m-%dT%H:%M:%S", t, 1) }' > gpu.csv; }
steps() { awk -v from="$1" 'BEGIN { for (i = 1; i <= 21; i++) printf "[%s] INFO step %d loss 2.1\n", strftime("%H:%M:%S", from + 5 * i, 1), i }' > train.log; }
noon=1714564800 midnight=1714608000
samples $noon $((noon + 600)) 1; steps $((noon + 60))
gpustat events gpu.csv train.log -f csv --show event,n,energy_sum_j -v | grep -v 'hidden'
gpustat events gpu.csv train.log -q -f csv --show event,n,energy_sum_j --tz America/New_York
gpustat map gpu.csv train.log -q | grep -E 'origin|"from"' | grep -o '"origin.*\|"from.*'
samples $((midnight - 300)) $((midnight + 300)) 1; steps $((midnight - 50))
gpustat events gpu.csv train.log -q -f csv --show event,n,energy_sum_j
samples $((midnight - 300)) $((midnight + 300)) 1; steps $((midnight + 50))
gpustat events gpu.csv train.log -q -f csv --show event,n,energy_sum_j
# Of a log of two days either may be meant, and another time of day is none of them.
samples $noon $((noon + 200000)) 60; steps $((noon + 60)); gpustat events gpu.csv train.log
samples $noon $((noon + 600)) 1; steps $((noon + 7000)); gpustat events gpu.csv train.log
