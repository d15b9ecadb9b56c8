# Power, utilisation and temperature of two GPUs each 10 s, each metric a file of its own, scraped 3 s later and 4 s before
# the power, as exports of a monitoring system are: 20 samples a GPU, none without a reading. The energy is the power file's.
series() { echo "timestamp,uuid,$1"; for k in $(seq 0 19); do for g in 0 1; do echo "$((1700000000 + 10 * k + $2)),GPU-$g,$(($3 + k * $4 + g))"; done; done; }
log() { series power_w 0 100 1 > "$1"; series gpu_util_pct 3 40 2 > "$2"; series temp_c -4 30 1 > "$3"; }
show() { gpustat gpus "$@" -q -f csv --show gpu_uuid,samples,power_mean_w,temp_mean_c,gpu_util_mean_pct,energy_j; }
mkdir one other alone; log one/a.csv one/b.csv one/c.csv; log other/c.csv other/a.csv other/b.csv; cp one/a.csv alone
show one
show other
gpustat gpus alone -q -f csv --show gpu_uuid,samples,power_mean_w,energy_j
gpustat check one -q -f csv | cut -d, -f 1-3
show one --max-memory 8M -j 1 | cmp - <(show one) && echo the same in passes
# half an interval away a reading is of no sample, and is lost by none
mkdir half; series power_w 0 100 1 > half/a.csv; series temp_c 5 30 1 > half/b.csv
gpustat gpus half -q -f csv --show gpu_uuid,samples,power_mean_w,temp_mean_c
