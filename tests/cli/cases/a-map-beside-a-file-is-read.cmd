# gpustat.json holds for a file beside it as for its folder, from wherever it is named; --map for files of another folder.
mkdir run other
printf 'when,pw\n2026-01-01T00:00:00Z,100\n2026-01-01T00:00:01Z,110\n2026-01-01T00:00:02Z,120\n' > run/log.csv
cp run/log.csv other/log.csv
cp run/log.csv other/renamed.csv
gpustat power run/log.csv
cat > run/gpustat.json <<'MAP'
{"schema": "gpustat.map/1", "sources": [{"role": "samples", "form": "table", "files": ["log.csv"], "time": "when",
 "metrics": {"power_w": {"column": "pw", "unit": "W"}}}]}
MAP
energy() { gpustat "$@" -f csv -q | tail -n 1 | cut -d, -f "${field-12}"; }
energy power run
energy power run/log.csv
energy power --samples run/log.csv
energy power --map run/gpustat.json
energy power other/log.csv --map run/gpustat.json
energy power other/renamed.csv --map run/gpustat.json
field=12
energy gpus run/log.csv
energy gpus other/log.csv --map run/gpustat.json
(cd run && energy power ./log.csv)
# What is beside no map, or is not in it, is recognised.
printf 'timestamp,power_w\n2026-01-01T00:00:00Z,100\n2026-01-01T00:00:01Z,100\n' > run/own.csv
energy power run/own.csv
# A file of that name that is no map is said, not passed over; a map of another version says what is expected.
for text in '{"source": []}' '[1]' '{"schema": "gpustat.map/2", "sources": []}'; do
    echo "$text" | tee run/gpustat.json > other/gpustat.json
    for run in run other other/log.csv; do gpustat gpus $run -f csv 2>&1 > /dev/null | grep gpustat.json:; done
done
mkdir study && cp data/gpu.csv data/application-checkpoints.csv study && echo '{}' > study/gpustat.json
gpustat gpus study 2>&1 > /dev/null | grep gpustat.json:
# Nor is it said of data that another program calls so.
for k in 0 1 2; do echo "{\"timestamp\": \"2026-01-01T00:00:0${k}Z\", \"power_w\": 100}"; done > other/gpustat.json
rm other/*.csv && gpustat gpus other -f csv 2>&1 | grep -c gpustat.json
