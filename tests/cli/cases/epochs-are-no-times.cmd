# A training script's number of the epoch is no clock: a table of losses beside a log is passed over, one with epoch_time has epochs.
awk 'BEGIN { print "timestamp,gpu,power_w"; for (i = 0; i < 60; i++) printf "2026-03-04T09:00:%02dZ,0,%d\n", i, (i >= 5 && i < 54) ? 300 : 50 }' > gpu.csv
mkdir losses epochs
cp gpu.csv losses; cp gpu.csv epochs
printf 'epoch,step,train_loss\n0,9,2.5\n0,19,2.4\n0,29,2.3\n1,39,2.2\n' > losses/metrics.csv
printf 'epoch,step,train_loss,epoch_time\n0,9,2.5,12.5\n1,19,2.4,12.2\n2,29,2.3,12.1\n3,39,2.2,12.2\n' > epochs/metrics.csv
gpustat power losses -q --show gpu,runtime_s -f csv
gpustat events epochs -q --show event,n,duration_mean_ms,energy_sum_j -f csv
