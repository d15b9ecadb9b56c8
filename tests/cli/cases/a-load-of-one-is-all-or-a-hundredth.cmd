# Loads of 0 and 1 alone are shares where a GPU with 1 works; else they are per cent, as they are called, and the doubt is noted.
exec 2>&1
loads() { awk -v head="$1" -v busy="$2" 'BEGIN { print head; for (i = 0; i < 60; i++) printf "2024-05-01T12:00:%02dZ,%d,%s\n", i, (i >= 15), (i >= 15 ? busy : 50) }' > gpu.csv
    gpustat gpus gpu.csv --show gpu_util_mean_pct -f csv -v | grep -v 'no file holds events'; }
loads 'timestamp,gpu_util,power_w' 300
loads 'timestamp,gpu load,power.draw [W]' '300 W'
loads 'timestamp,gpu_util,power_mw' 300000
loads 'timestamp,gpu_util,power_w' 60
loads 'timestamp,gpu_util,temp_c' 60
loads 'timestamp,gpu_util [%],power_w' 300
