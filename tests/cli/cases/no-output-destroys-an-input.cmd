# Raw data named as an output, in every spelling: refused before anything is written, and as it was.
mkdir d && cp data/application-checkpoints.csv data/gpu.csv data/task-x-y.csv d && ln d/gpu.csv hard.csv && ln -s d/gpu.csv soft.csv
cp data/power-log.csv log.csv; cp data/operations.csv ops.csv
cat d/* *.csv | sha256sum > before
try() { gpustat "$@" > out 2> err; echo "$? $(head -n 1 err)"; [ ! -s out ] || echo "printed something"; }
try events d -o d/gpu.csv
try events d -o ./d/../d/gpu.csv
try events d -o hard.csv
try events d -o soft.csv
try events d --rejects d/gpu.csv
try events d --plot d/gpu.csv
try events --checkpoints d/application-checkpoints.csv --gpu d/gpu.csv -o d/gpu.csv
try events --checkpoints d/application-checkpoints.csv --gpu 'd/g*.csv' -o d/gpu.csv
try power log.csv -o log.csv
try forest train ops.csv --model ops.csv
try forest predict ops.csv --model m.json -o m.json
try report d -o d
try map d -o d/gpu.csv
cat d/* *.csv | sha256sum | cmp - before && ls d
# Nor the map and the defaults beside them, which are read without being named.
gpustat map d -q -o d/gpustat.json && echo 'pue = 1.5' > d/gpustat.ini && cat d/* | sha256sum > before
try events d -o d/gpustat.json
try power d/gpu.csv --rejects d/gpustat.json
try diff d d/gpu.csv -o d/gpustat.json
try events d -o d/gpustat.ini
cat d/* | sha256sum | cmp - before
# What the shell has opened is a file as well.
cp data/gpu.csv own.csv
gpustat gpus - -o own.csv < own.csv; echo $?
gpustat gpus - --rejects r.csv -o - < own.csv >> own.csv; echo $?
gpustat gpus own.csv >> own.csv; echo $?
cmp own.csv data/gpu.csv && echo intact
gpustat gpus own.csv -q -f csv -o - | cmp - <(gpustat gpus own.csv -q -f csv) && echo same
