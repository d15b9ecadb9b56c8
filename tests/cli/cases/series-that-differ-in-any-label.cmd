# Two boards of 100 and 110 W over 20 s, 2000 J and 2200 J: series of one metric that differ in any label are never one sample.
python3 - << 'END'
import json
T, rows = 1714564800, [(k, g, 100 + 10 * g) for k in range(21) for g in (0, 1)]
def prometheus(name, *labels):
    result = [{"metric": dict(l, __name__="DCGM_FI_DEV_POWER_USAGE"), "values": [[T + k, str(p)] for k, g, p in rows if g == i]} for i, l in enumerate(labels)]
    json.dump({"status": "success", "data": {"resultType": "matrix", "result": result}}, open(name, "w"))
def table(name, header, line, order=rows):
    open(name, "w").write(header + "".join(line % dict(t=T + k, g=g, p=p) + "\n" for k, g, p in order))
for label in "card_no", "pci_bdf", "kubernetes_node", "exported_instance", "pod":
    prometheus("prom-" + label, *({label: "x%d" % g, "instance": "exporter:9400"} for g in (0, 1)))
prometheus("prom-mig", *({"gpu": "0", "GPU_I_ID": str(g)} for g in (1, 2)))
prometheus("prom-cluster", *({"cluster": c, "node": "n1", "gpu": "0"} for c in "ab"))
prometheus("prom-replica", *({"replica": r, "gpu": "0"} for r in "ab"))
table("long.csv", "time,metric,board_no,value\n", "%(t)d,gpu_power_watts,%(g)d,%(p)d")
table("tags.csv", "timestamp,scope,metric,value\n", '%(t)d,"host:n1,gpu_index:%(g)d",gpu_power_watts,%(p)d')
table("influx.lp", "", "gpu,host=n1,cardno=%(g)d power_draw=%(p)d %(t)d000000000")
table("board.jsonl", "", '{"ts": %(t)d, "board": "b%(g)d", "power_w": %(p)d}')
table("wide.csv", "time,rack,slot,power_w\n", "%(t)d,r%(g)d,s%(g)d,%(p)d")
# One series after the other, so far apart that the beginning shows only the first.
far = [(k, g, 100 + 10 * g + k % 2) for g in (0, 1) for k in range(5000)]
table("far.csv", "time,metric,board_no,value\n", "%(t)d,gpu_power_watts,%(g)d,%(p)d", far)
# What is no GPU: words of a state, and a step, in a log whose clock is too coarse.
table("coarse.csv", "time,step,state,power_w\n", "%(t)d,%(g)d,busy,%(p)d", [(k // 5, k, 100 + k % 7) for k in range(100)])
END
for log in prom-* long.csv tags.csv influx.lp board.jsonl wide.csv far.csv coarse.csv; do
    echo "$log: $(gpustat power $log -q -f csv --show gpu,energy_sensor_j 2>&1 | tr '\n' ' ')"
done
for log in prom-card_no prom-mig prom-cluster tags.csv; do gpustat map $log -v 2>&1 | grep -E '"(host|gpu)"|differ in'; done
gpustat power far.csv --set samples.gpu=board_no -q -f csv --show gpu,energy_sensor_j
gpustat gpus influx.lp -q -f csv --show hostname,gpu_uuid,energy_j
# Columns that are series, as Grafana exports them: the one label that differs is the GPU's name.
power=DCGM_FI_DEV_POWER_USAGE
printf 'Time,"%s{card_no=""0"",job=""d""}","%s{card_no=""1"",job=""d""}"\n' $power $power > columns.csv
for k in 0 2 4; do echo "2024-05-01 12:00:0$k,100,110"; done >> columns.csv
gpustat power columns.csv -q -f csv --show gpu,energy_sensor_j
