# A logger that was killed within a number leaves another number: it counts, and a warning says so. Where the last
# line only has no line end, that is a note.
awk 'BEGIN { print "timestamp,gpu,power_w"; for (i = 10; i < 40; i++) printf "2026-01-01T00:00:%dZ,0,%.1f\n", i, 217.5 + i }' > whole.csv
for bytes in 1 2 3 4; do
    head -c "-$bytes" whole.csv > cut.csv
    gpustat gpus cut.csv -v 2>&1 > /dev/null | grep 'line end'
done
# Whole numbers have fewer digits then.
sed 's/\.[05]$//' whole.csv | head -c -2 > cut.csv
gpustat gpus cut.csv -v 2>&1 > /dev/null | grep 'line end'
# Of the number before the last cell a short row is left, which is skipped, as always.
for bytes in 5 8; do
    sed 's/$/,60/; 1s/60/temp_c/' whole.csv | head -c "-$bytes" > cut.csv
    gpustat gpus cut.csv -v 2>&1 > /dev/null | grep -e 'line end' -e skipped
done
# Nothing of lines that end, whatever they end in, and of formats that end otherwise.
printf '[{"timestamp":"2026-01-01T00:00:00Z","power_w":217.5},{"timestamp":"2026-01-01T00:00:01Z","power_w":21}]' > one.json
for file in whole.csv one.json; do gpustat gpus $file -v 2>&1 > /dev/null | grep 'line end'; done; true
