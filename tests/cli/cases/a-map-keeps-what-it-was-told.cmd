# What options said is in the map: read back without them, from any folder, it gives the same bytes.
mkdir -p run elsewhere/deep other
printf 'timestamp,index,power.draw [W]\n2026-01-01 00:00:00,0,100\n2026-01-01 00:00:01,0,110\n' > run/smi.csv
printf 'event,start,stop\na,2026-01-01T00:00:00+02:00,2026-01-01T00:00:01+02:00\n' > run/spans.csv
gpustat map run --tz +02:00 -q -o elsewhere/deep/map.json
grep -E '"(files|zone)"' elsewhere/deep/map.json
gpustat events run --tz +02:00 --join window -f csv -q > said
gpustat events --map elsewhere/deep/map.json --join window -f csv -q | cmp - said && echo same
(cd elsewhere && gpustat events --map deep/map.json --join window -f csv -q) | cmp - said && echo same
gpustat map --map elsewhere/deep/map.json -q -o elsewhere/again.json && grep -E '"(files|zone)"' elsewhere/again.json
gpustat events --map elsewhere/again.json --join window -f csv -q | cmp - said && echo same
gpustat map run --tz Europe/Berlin -q | grep zone
# A map holds for another run of the same files.
sed s/100/300/ run/smi.csv > other/smi.csv
cp run/spans.csv other
gpustat events other --map elsewhere/deep/map.json --join window -f csv -q | cut -d, -f 10 | tail -n 1
gpustat power elsewhere/deep/map.json --map elsewhere/deep/map.json 2>&1 | tail -n 1
# The columns of a table without header, and the column of the power.
printf '2026-01-01T00:00:00Z,7,100\n2026-01-01T00:00:01Z,7,110\n' > bare.csv
gpustat map bare.csv --columns timestamp,-,power -q -o elsewhere/bare.json
gpustat power --map elsewhere/bare.json -q -f csv | cut -d, -f 2,5 | tail -n 1
# Nothing of the run is written over; a map is.
gpustat map run -o run/smi.csv; echo $?
gpustat map run/smi.csv -o run/smi.csv; echo $?
echo '[]' > run/notes.json
gpustat map run -o run/notes.json; echo $?
gpustat map run -q -o run/gpustat.json && gpustat map run -q -o run/gpustat.json; echo $?
