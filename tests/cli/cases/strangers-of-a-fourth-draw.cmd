# What real logs of a fourth draw taught; each figure is known from its rows.
# a table of fields whose column of values is called Values: 100 and 120 W of GPU 0
printf 'GPUId,TimeStampUs,Field,Values\n0,1718783836000000,power_usage_instant,100\n0,1718783836000000,throttle_reason_idle,1\n0,1718783837000000,power_usage_instant,120\n' > fields.csv
gpustat gpus fields.csv -q -f csv --show gpu_serial,samples,power_mean_w
# sums of runs without times are no counter: no power of -500 W
printf 'PowerCap(W),TotalEnergy(J),TotalTokens\n30,2000,10\n40,1500,11\n' > runs.csv
gpustat power runs.csv
# powermetrics prints whole seconds: samples of one second lie as far apart as they took, 200 ms
for ms in 210.00 200.00 200.00; do printf '*** Sampled system activity (Wed Jan 24 18:34:49 2024 -0500) (%sms elapsed) ***\n\n**** GPU usage ****\n\nGPU Power: 2000 mW\n\n' $ms; done > powermetrics.txt
gpustat map powermetrics.txt -q | grep -o '"rows": .*, "medians"'
gpustat power powermetrics.txt -q -f csv --show power_mean_w,runtime_s
# a GPU that shares the memory of its machine: 10 W, 46 degrees, 7 %
cat > spark.txt <<'T'
Mon Jun  8 04:53:18 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 580.159.03             Driver Version: 580.159.03     CUDA Version: 13.0     |
+-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  NVIDIA GB10                    On  |   0000000F:01:00.0 Off |                  N/A |
| N/A   46C    P0             10W /  N/A  | Not Supported          |      7%%      Default |
+-----------------------------------------+------------------------+----------------------+
T
sed -i 's/%%/%/' spark.txt
gpustat gpus spark.txt -q -f csv --show power_mean_w,temp_mean_c,gpu_util_mean_pct
# a clock of a kernel in Hz: 600 MHz
printf 'time\twatts\tfreq_gpu\n1513655896.4\t3\t600000000\n1513655896.6\t4\t600000000\n' > board.tsv
gpustat gpus board.tsv -q -f csv --show power_mean_w,sm_clock_mean_mhz
gpustat map board.tsv -v 2>&1 > /dev/null | grep -o "column .*"
# no header: units say what is there, and the line that is proposed works
printf '2 %%, 588 MiB\n4 %%, 612 MiB\n6 %%, 600 MiB\n' > bare.log
gpustat gpus bare.log
gpustat gpus bare.log --columns gpu_util_pct,mem_used_mib -q -f csv --show gpu_util_mean_pct,mem_used_mean_mib
