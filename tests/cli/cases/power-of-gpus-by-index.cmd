# GPUs that an index alone tells apart are named beside their host, in a directory as in a file.
printf 'timestamp,hostname,gpu_index,power_w\n' > gpu.csv
for s in 0 1 2; do printf '2024-05-01T12:00:0%dZ,n1,%d,%d\n' $s 0 100 $s 1 150; done >> gpu.csv
gpustat power . -q -f csv | cut -d, -f 1-2
gpustat power gpu.csv -q -f csv | cut -d, -f 1-2
