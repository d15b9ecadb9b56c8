# A run named by a map of its own is the run that the map describes, beside another map or beside a file.
for run in a b; do
    mkdir $run
    awk -v b=$([ $run = b ] && echo 1 || echo 0) 'BEGIN {
        print "timestamp, index, power.draw [W]"
        for (t = 0; t < 400; t++)
            for (g = 0; g < 4; g++)
                printf "2025/11/21 04:%02d:%02d.000, %d, %.2f W\n", int(t / 60), t % 60, g, ((t >= 40 && t < 360) ? (b ? 400 : 500) + (t * 7 + g * 3) % 11 : 60 + t % 2)
    }' > $run/log.csv
done
gpustat map a/log.csv --tz +01:00 -o a.json -q
gpustat map b/log.csv --tz +01:00 -o b/b.json -q
gpustat diff a.json b/b.json -q --format csv > maps.csv
gpustat diff a/log.csv b/log.csv --tz +01:00 -q --format csv | cmp - maps.csv && echo "maps: the same bytes"
gpustat diff a.json b/log.csv --tz +01:00 -q --format csv | cmp - maps.csv && echo "a map and a file: the same bytes"
wc -l < maps.csv
# What says that it is a map and is none is an error, not an empty run.
echo '{"schema":"gpustat.map/1"}' > none.json
gpustat diff none.json b/b.json
echo "exit $?"
# What a map was told of its sensor, its gaps and its power holds for its run, wherever it lies.
told=(--card 'Tesla K40m' --sensor window=25ms --max-gap 3s --power-column draw --duplicates keep)
for run in a b; do
    sed -i '/2025.11.21 04:03:0/d' $run/log.csv
    gpustat map $run/log.csv "${told[@]}" -o $run.json -q
done
gpustat diff a/log.csv b/log.csv "${told[@]}" -q --format csv > told.csv
gpustat diff a/log.csv b/log.csv -q --format csv | cmp -s - told.csv && echo "the options change nothing"
gpustat diff a.json b.json -q --format csv | cmp - told.csv && echo "maps: as if typed"
# Typed goes before kept, also where it is what the command does by itself.
gpustat map data/ --duplicates keep -o keeps.json -q
for way in drop keep; do
    gpustat diff keeps.json keeps.json --duplicates $way -q --format csv > $way.csv
    gpustat diff data/ data/ --duplicates $way -q --format csv | cmp -s - $way.csv && echo "$way: as typed"
done
cmp -s drop.csv keep.csv || echo "which are not the same"
for run in a b; do gpustat map $run/log.csv "${told[@]}" -o $run/gpustat.json -q; done
gpustat diff a b/log.csv -q --format csv | cmp - told.csv && echo "maps in a directory and beside a file: as if typed"
sed -i 's/"max-gap": "3s"/"max-gap": "soon"/' a.json
gpustat diff a.json b.json || echo "exit $?"
