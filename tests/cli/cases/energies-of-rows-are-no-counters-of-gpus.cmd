# A column of energies for each GPU that falls again and again is of its row, not a counter; what is left is asked for.
for i in 0 1 2 3 4 5 6 7; do printf '%d,%d,%d,90,95\n' $((1700000000 + i)) $((100 + 50 * (i % 2))) $((200 + 50 * (i % 2))); done > rows
{ echo 'Timestamp,GPU-0 Energy (mJ),GPU-1 Energy (mJ),gpu0_util,gpu1_util'; cat rows; } > wide.csv
gpustat gpus wide.csv -q -f csv --show gpu_uuid,gpu_util_mean_pct
gpustat map wide.csv 2>&1 | grep -E 'metrics|note'
gpustat power wide.csv -q
