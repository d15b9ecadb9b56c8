# A map says what files mean. What is said of the sensor, of gaps, of equal rows and of the power is no part of it: map
# names what it does not keep, and refuses a value as every command does.
{ echo 'timestamp, index, power.draw.instant [W], power.draw.average [W]'
  for s in 10 11 12 13 14 15; do echo "2024/01/01 00:00:$s.000, 0, 300, 200"; done; } > log.csv
gpustat map log.csv --card 'Tesla K40m' --sensor window=25ms --max-gap 3s --duplicates drop --power-column average -f csv | wc -l
gpustat map log.csv --tz +02:00 -o map.json -q
gpustat gpus log.csv --tz +02:00 --max-gap 3s -q -f csv > told
gpustat gpus --map map.json --max-gap 3s -q -f csv | cmp - told && echo 'the same with the map'
gpustat map log.csv --card A100 -o other.json 2>/dev/null || echo "$?"
gpustat map log.csv --sensor offset=2W -o other.json || echo "$?"
ls other.json
