# gpu{gpu}_util fits gpu0_mem_util too: what stands behind the number of a GPU that is there makes no other GPU.
printf 'timestamp,gpu0_mem_util,gpu0_util,gpu1_util,gpu1_mem_util,gpu1_enc_util\n2024-05-01T12:00:00Z,3,10,20,4,0\n2024-05-01T12:00:01Z,3,10,20,4,0\n' > wide.csv
gpustat gpus wide.csv -q -f csv | cut -d, -f 1-8
gpustat map wide.csv 2> /dev/null | grep metrics
printf 'timestamp,GPU 0 usage (%%),GPU 0 VID usage (%%),GPU 0 power (W)\n2024-05-01T12:00:00Z,10,3,20\n2024-05-01T12:00:01Z,10,3,20\n' > spaced.csv
gpustat gpus spaced.csv -q -f csv | cut -d, -f 1-8
