# "GPU 0 (W)", "card1 [%]": the unit is what the column has of the GPU; another unit is no power.
for i in 0 1 2; do printf '2024-05-01 12:00:0%d,100,300\n' $i; done > rows
{ echo 'Time,GPU 0 (W),GPU 1 (W)'; cat rows; } > w.csv
{ echo 'Time,card0 [%],card1 [%]'; sed 's/100/50/; s/300/70/' rows; } > util.csv
{ echo 'Time,GPU 0 (MHz),GPU 1 (MHz)'; cat rows; } > mhz.csv
gpustat power w.csv -q -f csv --show gpu,rows,power_mean_w
gpustat gpus util.csv -q -f csv --show gpu_uuid,gpu_util_mean_pct
# So does the unit of a clock, and one of thousandths of a degree.
printf 'timestamp,power_w,temp_gpu_mC,gpu_hz,clock_mem_MHz\n1700000000,100,48500,1200000000,405\n1700000001,100,48500,1200000000,405\n' > mc.csv
gpustat map mc.csv -q | grep metrics
gpustat power mhz.csv -q
