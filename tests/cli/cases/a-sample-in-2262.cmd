# One reading 243 years after all others, in the study's own form: no energy may bridge them. It is refused with its line
# by every command, and set aside where that is asked for.
cp data/*.csv .
tail -n 1 gpu.csv | sed 's/^[^,]*/2262-01-01T00:00:00.000Z/' >> gpu.csv
for command in check gpus balance timeline events; do
    gpustat "$command" . -q > out || echo "$command: $?"
done
gpustat balance . -f csv --rejects out.csv -q > set-aside
gpustat balance data -f csv -q | cmp - set-aside && cat out.csv
