# A GPU of 300 W and a processor of 100 W in one file: the processor's table is passed over and named, first or last, by its columns or its title.
exec 2>&1
table() { echo "timestamp,$1power_w,util_pct"; for i in 0 1 2 3 4 5 6 7 8 9; do echo "2024-05-01T12:00:0${i}Z,$2$3,$4"; done; }
read_it() { gpustat gpus log.csv -v -f csv --show gpu,power_mean_w | grep -v 'no file holds\|hidden\|uncertain'; }
{ table gpu, 0, 300 90; echo; table cpu, 0, 100 50; } > log.csv; read_it
{ table cpu_package, 0, 100 50; echo; table gpu, 0, 300 90; } > log.csv; read_it
{ table gpu_index, 0, 300 90; table socket, 0, 100 50; } > log.csv; read_it
{ echo GPU; table index, 0, 300 90; echo; echo CPU; table index, 0, 100 50; } > log.csv; read_it
{ echo '# GPU'; table '' '' 300 90; echo '# CPU'; table '' '' 100 50; table '' '' 100 50; } > log.csv; read_it
{ echo '# GPU'; table '' '' 300 90 | head -6; echo '# CPU'; table '' '' 100 50; echo '# GPU again'; table '' '' 300 90 | sed 2,6d; } > log.csv; read_it
{ echo '# GPU'; table device, GPU0, 300 90; echo '# CPU'; table device, CPU0, 100 50; } > log.csv; read_it
