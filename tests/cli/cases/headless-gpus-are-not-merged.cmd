# Without a header a column that may tell GPUs or hosts apart is never left out in silence: rows of two GPUs are no one curve.
for i in 0 1 2 3 4; do for g in 0 1; do echo "2025/03/04 09:30:0$i.00$((g * 5)), $g, $((100 + g * 200)) W"; done; done > whole.csv
tail -n +2 whole.csv > cut.csv
sed 's/, 0, /, 00000000:17:00.0, /; s/, 1, /, 00000000:65:00.0, /' whole.csv > bus.csv
for i in 0 1 2 3 4; do for h in a b; do for g in 0 1; do echo "2025/03/04 09:30:0$i.000, node$h, $g, $((100 + g * 200)) W"; done; done; done > hosts.csv
gpustat gpus whole.csv -q -f csv --show gpu_uuid,energy_j
for file in cut bus hosts; do
    gpustat gpus $file.csv -q -f csv --show gpu_uuid,energy_j
    echo $?
done
gpustat gpus hosts.csv --columns timestamp,hostname,gpu,power_w -q -f csv --show hostname,energy_j
# A performance state varies and tells nobody apart.
sed 's/$/, P0/; 3s/P0/P8/' whole.csv > states.csv
gpustat gpus states.csv -q -f csv --show gpu_uuid,energy_j
