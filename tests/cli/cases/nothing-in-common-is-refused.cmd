# The study's own file names: hosts of other names, or another year, are refused as in any other files, never a table of dashes.
mkdir hosts times
for d in hosts times; do cp data/application-checkpoints.csv data/task-x-y.csv $d; done
sed 's/"38137/"other-38137/' data/gpu.csv > hosts/gpu.csv
sed 's/2018/2017/g' data/gpu.csv > times/gpu.csv
for d in hosts times; do for command in events gpus balance 'report -o page'; do gpustat $command $d -q; echo $?; done; done
gpustat events times --set samples.shift=365d -q -f csv | cut -d, -f 1,2,10 | head -3
gpustat events hosts --set 'samples.host.like=other-{}' -q -f csv | cut -d, -f 1,2,10 | head -3
# So is a file of the study's name that lost its power's name, or all its rows.
mkdir lost
cp data/application-checkpoints.csv data/task-x-y.csv lost
sed '1s/powerDrawWatt/pw/' data/gpu.csv > lost/gpu.csv
gpustat events lost -q; echo $?
gpustat events lost --set samples.metrics.power_w.column=pw --set samples.metrics.power_w.unit=W -q -f csv | cut -d, -f 1,2,10 | head -2
: > lost/gpu.csv
gpustat events lost -q; echo $?
