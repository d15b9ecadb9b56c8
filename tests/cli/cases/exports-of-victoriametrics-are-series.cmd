# /api/v1/export: a line of a series with its labels, its values and their times.
python3 - <<'END'
import json
T = 1746626590000
with open("vm.jsonl", "w") as f:
    for name, value in (("DCGM_FI_DEV_POWER_USAGE", 100), ("DCGM_FI_DEV_GPU_TEMP", 40)):
        for g in (0, 1):
            print(json.dumps({"metric": {"__name__": name, "gpu": str(g), "Hostname": "n1"}, "values": [value * (g + 1)] * 61, "timestamps": [T + 1000 * k for k in range(61)]}), file=f)
END
gpustat map vm.jsonl 2> /dev/null | grep -E '"(host|gpu|metrics)"'
gpustat power vm.jsonl -q -f csv | cut -d, -f 1-2,15
gpustat gpus vm.jsonl -q -f csv --show hostname,gpu_uuid,samples,temp_mean_c
