# Twelve steps of 10 s by their ends since a start that nobody wrote down: `gpustat DIR` was refused where `events` aligns them.
mkdir run
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 300; i++) { on = i >= 60 && i < 180; printf "%d,%d W\n", 1735689480 + i, on ? 300 : 60 } }' > run/gpu.csv
awk 'BEGIN { print "step,elapsed_s,loss"; for (i = 1; i <= 12; i++) printf "%d,%d.0,2.1\n", i, 10 * i }' > run/steps.csv
gpustat run --tz UTC | grep -e steps.csv -e Read
gpustat events run --tz UTC --format csv --show event,n,duration_mean_ms,energy_sum_j 2> /dev/null
