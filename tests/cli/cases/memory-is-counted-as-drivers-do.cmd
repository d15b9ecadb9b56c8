# A logger's MB are the driver's MiB: 81559 of an H100, as nvidia-smi shows. The map says it, and takes another unit.
printf 'timestamp,power_w,memory_used_mb,memory_total_mb\n1754586056,100,40000,81559\n1754586061,100,40000,81559\n' > a.csv
gpustat gpus a.csv --show mem_used_mean_mib,mem_total_mean_mib -f csv 2>&1
gpustat map a.csv -q | grep mem_used
gpustat gpus a.csv --set samples.metrics.mem_used_mib.unit=MB --show mem_used_mean_mib -f csv -q
printf 'timestamp,gpu0_power_w,gpu0_mem_used_gb,gpu1_power_w,gpu1_mem_used_gb\n1754586056,100,10,90,20\n1754586061,100,10,90,20\n' > wide.csv
gpustat gpus wide.csv --show mem_used_mean_mib -f csv -q
