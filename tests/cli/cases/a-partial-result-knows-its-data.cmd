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
# A partial result has no rows: an option about them would be passed over.
for option in --show=event --sort=event -n1 '--filter=n>1' '--fail-if=n>1' --plot=x.svg '-o x.csv'; do
    gpustat events data/ -q --shard 1/3 --partial none.state $option 2>&1 | head -n 1
done
gpustat merge 1.state 2.state 3.state --partial none.state --fail-if 'n>1'; echo $?
[ -e none.state ] || echo none
# Where malformed rows are written changes no number.
gpustat events data/ -q --shard 1/2 --partial 1.state
gpustat events data/ -q --shard 2/2 --partial 2.state --rejects rows.csv
gpustat merge 1.state 2.state -q -f csv | cmp - whole && echo same
