# What gpustat map is told of the sensor, of gaps, of equal rows and of the power is in the map, and every command that
# reads the map counts as if it had been typed: --map from anywhere, gpustat.json beside a file or in a directory.
{ echo 'timestamp, index, power.draw.instant [W], power.draw.average [W]'
  for s in 10 11 12 13 14 15 19 20 20; do echo "2024/01/01 00:00:$s.000, 0, 3$s, 200"; done; } > log.csv
mkdir run
cp log.csv run
told=(--tz +02:00 --card 'Tesla K40m' --sensor window=25ms --max-gap 3s --duplicates drop --power-column average)
gpustat map log.csv "${told[@]}" -o map.json -q
gpustat map run "${told[@]}" -o run/gpustat.json -q
grep -h options map.json run/gpustat.json
gpustat map --map map.json -q | cmp - map.json && echo 'the map of the map is the map'
for command in power gpus timeline; do
    gpustat $command log.csv "${told[@]}" -q -f csv > told
    gpustat $command log.csv -q -f csv | cmp -s - told && echo "$command: the options change nothing"
    gpustat $command --map map.json -q -f csv | cmp - told && echo "$command --map: the same"
    gpustat $command run -q -f csv | cmp - told && echo "$command run: the same"
    (cd / && gpustat $command "$OLDPWD/run/log.csv" -q -f csv) | cmp - told && echo "$command run/log.csv: the same"
done
gpustat power log.csv "${told[@]}" --card 'Tesla K80' --max-gap 30s -q -f csv > told
gpustat power --map map.json --max-gap 30s --card 'Tesla K80' -q -f csv | cmp - told && echo 'what is typed goes before'
sed 's/Tesla K40m/Tesla K40/' map.json > other.json
gpustat power --map other.json || echo "$?"
sed 's/"max-gap": "3s"/"max-gap": "soon"/' map.json > other.json
gpustat gpus --map other.json || echo "$?"
sed 's/"max-gap"/"output"/' map.json > other.json
gpustat gpus --map other.json || echo "$?"
rm other.json
gpustat map log.csv --card A100 -o other.json 2>/dev/null || echo "$?"
gpustat map log.csv --sensor offset=2W -o other.json || echo "$?"
ls other.json
