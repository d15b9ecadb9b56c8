# The power at the wall, or of a processor, is no GPU's: beside GPUs' logs it is passed over, alone it is what was meant.
rows() { for k in 0 1 2 3; do echo "2026-09-12T06:17:2$k,$(($1 + k))"; done; }
mkdir both alone
{ echo timestamp,power_w; rows 250; } > both/gpu_power.csv
{ echo timestamp,power_w; rows 420; } > both/wall_power.csv
{ echo time,package_power_w; rows 120; } > both/rapl.csv
{ echo ts,apower; rows 430; } > both/desk.csv
cp both/wall_power.csv both/desk.csv alone
gpustat gpus both -q -f csv --show host,gpu,samples,power_mean_w
gpustat map both 2> /dev/null | grep '"file":'
gpustat gpus alone/desk.csv -q -f csv --show host,gpu,samples,power_mean_w
