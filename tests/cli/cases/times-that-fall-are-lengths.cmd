# A time that falls beside words that come again is how long each took, no clock: means of runs are no readings; a column
# called util alone has no clock either.
printf 'kernel,coreF,time/ms,power/W\na,1000,1.8,183\na,1100,1.6,191\na,1200,1.4,194\nb,1000,5.2,150\nb,1100,4.8,155\nb,1200,4.4,158\n' > k.csv
printf 'mode,util,energy_kj\nx,1.6,10\nx,1.6,11\ny,1.6,12\n' > u.csv
printf 'util,temp\n90,60\n91,61\n92,61\n' > t.csv
gpustat events k.csv --show event,n,duration_mean_ms --format csv
gpustat power k.csv
gpustat gpus u.csv
gpustat gpus t.csv --format csv --show samples,temp_mean_c,gpu_util_mean_pct
# One object with an instant and a mean power is a run, too; of two rows they are readings.
run() { printf '{"timing":{"start_utc":"2026-08-17T00:00:%02dZ"},"gpu":0,"power":{"avg_w":595.25,"peak_w":1085}}\n' "$1"; }
run 0 > run.json
gpustat power run.json
gpustat power run.json --power-column power.avg_w --format csv --show gpu,power_mean_w -q
{ run 0; run 10; } > log.jsonl
gpustat power log.jsonl --format csv --show gpu,energy_sensor_j
