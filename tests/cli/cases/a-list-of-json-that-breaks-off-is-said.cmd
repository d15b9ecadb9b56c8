# A download that broke off between two items loses the rest and is no wrong JSON: the missing bracket is told.
for i in $(seq 10 39); do echo "{\"timestamp\":\"2026-01-01T00:00:${i}Z\",\"gpu\":0,\"power_w\":$((90 + i))}"; done > lines.jsonl
{ echo '['; sed '$!s/$/,/' lines.jsonl; echo ']'; } > whole.json
head -n 16 whole.json > rows.json
tr -d '\n' < rows.json > one-line.json
printf '{"traceEvents":[%s' "$(for i in 0 1 2 3; do printf '{"ph":"X","name":"k","pid":1,"tid":1,"ts":176722560000000%s,"dur":5,"args":{"device":0}},' $i; done)" > trace.json
for f in whole rows one-line; do
    echo "$f $(gpustat power $f.json -f csv --show rows,energy_j 2> err | tail -n 1)"
    grep warning err
done
gpustat events trace.json -f csv --show event,n 2>&1 | grep -e skipped -e k,
sed 's/,$/]}/' trace.json > closed.json
gpustat events closed.json -f csv --show event,n 2>&1 | grep -e skipped -e k,
