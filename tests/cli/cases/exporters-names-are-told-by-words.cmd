# Metrics of exporters that nobody listed are told by their words and units: nvidia_smi_power_draw_watts is a power, its limit none.
# 60 W for 29 s on each of two GPUs are 3480 J, from the JSON of query_range as from an exporter's text.
python3 - <<'END'
import json
names = {"nvidia_smi_power_draw_watts": 60, "nvidia_smi_enforced_power_limit_watts": 300, "nvidia_smi_temperature_gpu": 40,
         "nvidia_smi_utilization_gpu_ratio": 0.5, "nvidia_smi_memory_used_bytes": 2 << 30, "node_cpu_power_watts": 90}
rows = [(n, g, i, v) for n, v in names.items() for g in "ab" for i in range(30)]
with open("q.json", "w") as f:
    series = {}
    for n, g, i, v in rows:
        series.setdefault((n, g), []).append([1746626590 + i, str(v)])
    json.dump({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": n, "uuid": g, "instance": "n1:9835"}, "values": s} for (n, g), s in series.items()]}}, f)
with open("metrics.prom", "w") as f:
    for n, g, i, v in rows:
        f.write('%s{uuid="%s",instance="n1:9835"} %s %d\n' % (n, g, v, (1746626590 + i) * 1000))
END
for file in q.json metrics.prom; do
    gpustat balance $file -q -f csv | cut -d , -f 1-4 | tail -1
    gpustat map $file -q | grep -o '"metrics.*}}},$' | grep -o '"[a-z_]*": {"column\|__name__": "[a-z_]*' | tr -d '\n' && echo
done
