# Partial results of different data, of one path on two machines, or of hosts that overlap are refused by name.
cp -rL data run
gpustat events run -q -f csv > whole
for i in 1 2 3; do gpustat events run -q --shard $i/3 --partial $i.state; done
gpustat merge 3.state 1.state 2.state -q -f csv | cmp - whole && echo same
# A file changes between two shards: a row less, and then one byte of another row.
sed -i 700d run/gpu.csv
gpustat events run -q --shard 2/3 --partial other.state
gpustat merge 1.state other.state 3.state
echo $?
sed '700s/1/2/' data/gpu.csv > run/gpu.csv
gpustat events run -q --shard 2/3 --partial other.state
gpustat merge 1.state 3.state other.state
echo $?
cp data/gpu.csv run/more.csv
gpustat events --checkpoints run/application-checkpoints.csv --gpu run/gpu.csv -q --shard 2/3 --partial other.state
gpustat merge 1.state other.state
echo $?
# Through --max-memory, which reads several times, the digests are the same.
cp data/gpu.csv run/gpu.csv
gpustat events run -q --shard 2/3 --partial other.state --max-memory 17M
cmp 2.state other.state && echo same
gpustat merge 1.state 2.state
echo $?
