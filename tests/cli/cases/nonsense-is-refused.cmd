# A row counter is no GPU, nor is a number that no GPU has.
rows() { gpustat "$@" -q -f csv 2>&1 | tail -n +2 | cut -d, -f 1-5; }
printf 'index,timestamp,power_w\n0,2026-01-01T00:00:00Z,100\n1,2026-01-01T00:00:01Z,110\n2,2026-01-01T00:00:02Z,120\n' > index.csv
rows gpus index.csv
printf 'index,timestamp,power_w\n0,2026-01-01T00:00:00.001Z,100\n1,2026-01-01T00:00:00.003Z,110\n2,2026-01-01T00:00:00.005Z,120\n' > poll.csv
rows gpus poll.csv
printf 'TIME\tTOTAL\tGPU\n.005\t6021\t457\n.505\t6021\t458\n1.005\t6000\t457\n' > dot.tsv
rows power dot.tsv --power-column TOTAL
# Sensors of other things in one long table are no GPU's.
printf 'sensor,timestamp,power_w\n' > sensors.csv
for k in 0 1 2; do printf 'CPU Package,2026-01-01T00:00:0%sZ,100\nGPU Power,2026-01-01T00:00:0%sZ,10\n' $k $k >> sensors.csv; done
rows power sensors.csv; rows gpus sensors.csv
gpustat map sensors.csv | grep where
sed 's/GPU Power/DRAM/' sensors.csv > others.csv
gpustat power others.csv
sed 's/CPU Package/GPU Core/; s/GPU Power/GPU Board/' sensors.csv | sed '2s/GPU Core/CPU Cores/' > several.csv
gpustat power several.csv
# CodeCarbon's rows are of runs.
printf 'timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,gpu_energy,energy_consumed\n2026-01-01T00:01:00,a,1,10,0.1,0.01,10,100,5,0.00027778,0.0003\n2026-01-01T01:01:00,a,2,10,0.1,0.01,10,200,5,0.00055556,0.0006\n' > cc.csv
gpustat power cc.csv
gpustat events cc.csv -q -f csv | cut -d, -f 1-3
# What a counter rises by is no power where nothing says over how long: rows of runs, unless --interval says it.
printf 'run,energy_j\nA,100\nB,200\n' > totals.csv
gpustat power totals.csv; echo "exit $?"
gpustat power totals.csv --interval 10s -q -f csv | cut -d, -f 1,4,5,15
