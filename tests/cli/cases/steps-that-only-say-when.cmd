# A row per step with its instant alone (wandb's history, TensorBoard's CSV) is a step that began with the row before; events without a name are called after what counts them.
mkdir wandb board spans
awk 'BEGIN { print "timestamp,gpu,power_w"; for (i = 0; i < 90; i++) printf "2026-03-04T09:00:%02dZ,0,%d\n", i % 60, 300 }' | awk 'NR <= 61' > gpu.csv
for d in wandb board spans; do cp gpu.csv $d; done
awk 'BEGIN { for (i = 0; i < 40; i++) printf "{\"_step\": %d, \"_timestamp\": %.2f, \"loss\": 1.5}\n", i, 1772614800 + 10 + i }' > wandb/wandb-history.jsonl
awk 'BEGIN { print "Wall time,Step,Value"; for (i = 0; i < 5; i++) printf "%.3f,%d,%g\n", 1772614800 + 10 + 10 * i, 100 * i, 2 - i / 8 }' > board/loss.csv
awk 'BEGIN { print "request_id,start_time,end_time,prompt"; for (i = 0; i < 5; i++) printf "%d,%.1f,%.1f,512\n", i, 1772614800 + 10 * i, 1772614804 + 10 * i }' > spans/requests.csv
for d in wandb board spans; do gpustat events $d -v --show event,n,duration_mean_ms,energy_sum_j 2>&1; done
gpustat events wandb -q --set events.phase=points --show event,n,duration_mean_ms,energy_sum_j
gpustat events wandb -q --set events.phase=middles
# Names of trainers: keys below a loop's name, a step numbered beside its start and end, a step's length in its number's name.
mkdir keys ends length
for d in keys ends length; do cp gpu.csv $d; done
awk 'BEGIN { for (i = 1; i < 40; i++) printf "{\"_step\": %d, \"_timestamp\": %.2f, \"train/step_time\": 0.9}\n", i, 1772614800 + 10 + i }' > keys/history.jsonl
awk 'BEGIN { for (i = 1; i < 40; i++) printf "{\"step\": %d, \"start\": %.2f, \"end\": %.2f}\n", i, 1772614809 + i, 1772614809.8 + i }' > ends/steps.jsonl
awk 'BEGIN { print "global_step,iter_time_ms,loss"; for (i = 1; i < 40; i++) printf "%d,%d,1\n", i, 900 + i % 7 }' > length/steps.csv
for d in keys ends; do gpustat events $d -v --show event,n,duration_mean_ms,energy_sum_j 2>&1; done
gpustat events length -q --start 2026-03-04T09:00:10Z --show event,n,duration_mean_ms,energy_sum_j
