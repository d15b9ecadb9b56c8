# Malformed rows of other forms are set aside as they were, quotes, blanks and all; the rest counts.
printf 'name,start,stop\nrun,2024-05-01T12:00:00Z,2024-05-01T12:00:04Z\n' > spans.csv
row='2024-05-01T12:00:0'
printf 'timestamp, index, "power.draw [W]"\n%s0Z, 0, 100.00 W\n%s1Z, 0, "1,00 W"  \n%s2Z, 0\n%s3Z, 0, 100.00 W, x\n%s4Z, 0, 100.00 W\n' $row $row $row $row $row > smi.csv
printf 'time\tgpu\tpower_w\n%s0Z\t0\t100\n%s2Z\t0\t much\n%s4Z\t0\t100\n' $row $row $row > tabs.tsv
printf '{"time": "%s0Z", "gpu": 0, "power_w": 100}\n{"time": "%s2Z",\n "gpu": 0, "power_w": "x\\u0041"}\n{"time": "%s4Z", "gpu": 0, "power_w": 100}\n' $row $row $row > log.jsonl
printf '#Date       Time        gpu   pwr\n#YYYYMMDD   HH:MM:SS    Idx     W\n 20240501   12:00:00      0   100\n 20240501   12:00:02      0   1OO\n 20240501   12:00:04      0   100\n' > dmon.log
sample='DCGM_FI_DEV_POWER_USAGE{gpu="0", Hostname="n1"}'
printf '%s 100 1714564800000\n%s  1OO 1714564802000\n%s 100 1714564804000\n' "$sample" "$sample" "$sample" > exporter.prom
for k in 0 2 4; do
    echo "Wed May  1 12:00:0$k 2024"
    echo '| NVIDIA-SMI 550.54   Driver Version: 550.54   CUDA Version: 12.4 |'
    echo '|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |'
    echo "| N/A   38C    P0    100W /  70W |    105MiB / 15109MiB |      ${k/2/5-5}%      Default |"
done > table.log
printf '00, 01-05-2024 12:00:00, Hardware monitoring log v1.6\n02, 01-05-2024 12:00:00, Power\n03, 01-05-2024 12:00:00, 0, W\n' > game.hml
for k in '0, 100' '2, 1OO' '4, 100'; do echo "80, 01-05-2024 12:00:0$k"; done >> game.hml
for log in smi.csv tabs.tsv log.jsonl dmon.log exporter.prom table.log game.hml; do
    gpustat events --samples $log --events spans.csv --tz UTC --join window --max-gap 10s --rejects bad.csv -q -f csv | cut -d, -f 1,2,10,15
    cat bad.csv
done
gpustat events --samples smi.csv --events spans.csv --tz UTC --join window -q
for k in 100 1OO 100; do echo "{\"card0\": {\"Average Graphics Package Power (W)\": \"$k\"}}"; done > cards.json
gpustat events --samples cards.json --events spans.csv --set samples.time.every=2s --set samples.origin=2024-05-01T12:00:00Z --join window --max-gap 10s --rejects bad.csv -q -f csv | cut -d, -f 1,2,10,15
cat bad.csv
printf '{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[\n{"name":"run","startTimeUnixNano":"1714564800000000000","endTimeUnixNano":"1714564804000000000"},\n{"name":"run","startTimeUnixNano":"soon","endTimeUnixNano":"1714564804000000000"}]}]}]}\n' > spans.json
gpustat events --samples smi.csv --events spans.json --tz UTC --join window --max-gap 10s --rejects bad.csv -q -f csv | cut -d, -f 1,2
cat bad.csv
# Of a document the piece that is the row's own: the pair of a query_range, a point of OTLP, the list of a GPU in -q.
spans() { gpustat events --samples "$1" --events spans.csv --tz UTC --join window --max-gap 10s --rejects bad.csv -q -f csv "${@:2}" | cut -d, -f 1,2,10,15; cat bad.csv; }
printf '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","gpu":"0"},"values":[[1714564800,"100"],[ 1714564802, "1O\\u004F" ],[1714564804,"100"]]}]}}\n' > range.json
spans range.json
point() { printf '{"timeUnixNano":"%s000000000", "asDouble": %s,"attributes":[]}' "$1" "$2"; }
printf '{"resourceMetrics":[{"resource":{},"scopeMetrics":[{"metrics":[{"name":"hw.power","unit":"W","gauge":{"dataPoints":[%s,\n %s,%s]}}]}]}]}\n' \
    "$(point 1714564800 100)" "$(point 1714564802 '"1OO"')" "$(point 1714564804 100)" > points.json
spans points.json
for k in 0,100 2,1OO 4,100; do
    printf '==============NVSMI LOG==============\n\nTimestamp                                 : Wed May  1 12:00:0%s 2024\n' "${k%,*}"
    printf 'Attached GPUs                             : 1\nGPU 00000000:00:04.0\n    Product Name                          : Tesla T4\n'
    printf '    GPU Power Readings\n        Power Draw                        : %s W\n\n' "${k#*,}"
done > list.log
spans list.log
