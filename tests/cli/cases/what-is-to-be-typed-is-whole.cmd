# A pattern that is longer than a name is shown is not cut where it stands to be typed: typed, it holds.
labels() { echo "DCGM_FI_DRIVER_VERSION=\"\"535.104.05\"\", Hostname=\"\"gpu-node-$1\"\", UUID=\"\"GPU-0000000$2-1111-2222-3333-444444444444\"\", device=\"\"nvidia$2\"\", modelName=\"\"NVIDIA A100-SXM4-80GB\"\", container=\"\"\"\", instance=\"\"10.0.0.1:9400\"\", job=\"\"dcgm\"\", namespace=\"\"default\"\", pod=\"\"\"\""; }
echo "Time,\"gpu_power{$(labels 1 0)}\",\"gpu_power{$(labels 1 1)}\"" > panel.csv
for k in {10..19}; do echo "2024-05-01 12:00:$k,100,200"; done >> panel.csv
gpustat gpus --samples panel.csv --tz UTC; echo "exit $?"
said=$(gpustat gpus --samples panel.csv --tz UTC 2>&1 | sed "s/.*: type//; s/ (the .*//")
eval "gpustat gpus --samples panel.csv --tz UTC -f csv -q $said" | cut -d, -f 1-5
