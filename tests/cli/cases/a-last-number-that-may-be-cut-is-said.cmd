# A logger that was killed within a number leaves another number: it counts, and a warning says so. Where the last
# line only has no line end, that is a note.
awk 'BEGIN { print "timestamp,gpu,power_w"; for (i = 10; i < 40; i++) printf "2026-01-01T00:00:%dZ,0,%.1f\n", i, 217.5 + i }' > whole.csv
for bytes in 1 2 3 4; do
    head -c "-$bytes" whole.csv > cut.csv
    gpustat gpus cut.csv -v 2>&1 > /dev/null | grep 'line end'
done
# Of several files the first is named.
for host in a b c; do sed "s/,0,/,$host,/" cut.csv | head -c -1 > $host.csv; done
gpustat gpus a.csv b.csv c.csv -v 2>&1 > /dev/null | grep 'line end'
# Whole numbers have fewer digits then.
sed 's/\.[05]$//' whole.csv | head -c -2 > cut.csv
gpustat gpus cut.csv -v 2>&1 > /dev/null | grep 'line end'
# Of the number before the last cell a short row is left, which is skipped, as always.
for bytes in 5 8; do
    sed 's/$/,60/; 1s/60/temp_c/' whole.csv | head -c "-$bytes" > cut.csv
    gpustat gpus cut.csv -v 2>&1 > /dev/null | grep -e 'line end' -e skipped
done
# A line of InfluxDB ends with its time: one whose time is cut, or that has none yet, is skipped, packed or not.
for s in 10 11 12 13 14; do echo "gpu,host=a power_w=$s.5 17672256${s}000000000"; done > whole.influx
for bytes in 1 2 9 12 21 25 40; do
    head -c "-$bytes" whole.influx > cut.influx
    gzip -kf cut.influx
    for file in cut.influx cut.influx.gz; do gpustat gpus $file -q -f csv --show samples,power_mean_w | tail -n 1; done | uniq
done
# Nothing of lines that end, whatever they end in, and of formats that end otherwise.
printf '[{"timestamp":"2026-01-01T00:00:00Z","power_w":217.5},{"timestamp":"2026-01-01T00:00:01Z","power_w":21}]' > one.json
for file in whole.csv one.json; do gpustat gpus $file -v 2>&1 > /dev/null | grep 'line end'; done; true
