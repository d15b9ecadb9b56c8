# Data that lie in parts already, a folder per rack: each is a part, and merge makes the whole of them.
awk -F, 'NR == 1 { for (i = 1; i <= 3; i++) { print > ("gpu" i) } next } { k = substr($2, length($2) - 1, 1); print > ("gpu" (k ~ /[0-3]/ ? 1 : k ~ /[4-8]/ ? 2 : 3)) }' data/gpu.csv
awk -F, 'NR == 1 { for (i = 1; i <= 3; i++) { print > ("app" i) } next } { k = substr($2, length($2) - 1, 1); print > ("app" (k ~ /[0-3]/ ? 1 : k ~ /[4-8]/ ? 2 : 3)) }' data/application-checkpoints.csv
for i in 1 2 3; do
    mkdir rack$i
    mv gpu$i rack$i/gpu.csv
    mv app$i rack$i/application-checkpoints.csv
    cp data/task-x-y.csv rack$i
done
wc -l rack*/gpu.csv
parts()
{
    for i in 1 2 3; do gpustat "$@" rack$i -q --part $i/3 --partial $i.part || return; done
    gpustat "$@" data/ -q -f csv > whole
    gpustat merge 3.part 1.part 2.part -q -f csv | cmp - whole && echo "$*: the same"
}
parts events
parts events --join window
parts gpus --event Render
parts balance
parts timeline --every 1min
parts zoom
for i in 1 2 3; do gpustat check rack$i -q --part $i/3 --partial $i.part; done
gpustat merge [123].part -q -f csv | cut -d, -f 1-4 | head -n 4
# What does not go together.
for i in 1 2 3; do gpustat events rack$i -q --part $i/3 --partial $i.part; done
gpustat merge 1.part 3.part
echo $?
gpustat events rack1 -q --part 2/3 --partial twice.part
gpustat merge 1.part twice.part 3.part
echo $?
{ cat rack3/gpu.csv; sed -n 2,300p rack2/gpu.csv; } > some.csv
gpustat events --checkpoints rack3/application-checkpoints.csv --gpu some.csv -q --part 3/3 --partial overlaps.part
gpustat merge 2.part overlaps.part --partial both
echo $?
for i in 1 2 3; do
    [ $i -lt 3 ] || sed -i 2d rack3/task-x-y.csv
    gpustat zoom rack$i -q --part $i/3 --partial $i.tasks
done
gpustat merge [123].tasks -q
echo $?
gpustat events data -q --shard 3/3 --partial 3.shard
gpustat merge 1.part 2.part 3.shard
echo $?
gpustat events rack1 --part 1/3
gpustat events rack1 --part 1/3 --shard 1/3 --partial x
gpustat events rack1 --part 4/3 --partial x
