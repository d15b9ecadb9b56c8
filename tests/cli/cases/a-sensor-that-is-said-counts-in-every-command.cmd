# What --sensor says of gain and offset is taken out of every energy: (energy - 4 W x time) / 0.8, computed here from
# the answer without it; the same bytes by shards; --explain says where each part came from.
said=gain=0.8,offset=4
gpustat balance data/ -q -f csv > plain.csv
gpustat balance data/ -q -f csv --sensor $said > said.csv
paste -d, plain.csv said.csv | awk -F, 'NR > 1 && $1 == "task" { e = ($4 - 4 * $6) / 0.8; d = $17 - e
    if (d < -1e-6 * e - 1e-6 || d > 1e-6 * e + 1e-6) print "expected", e, "found", $17; n++ } END { print n, "parts" }'
for c in events zoom join gpus balance tiles timeline; do
    v=; [ $c != tiles ] || v="--value energy"
    gpustat $c data/ $v -q -f csv --sensor $said > whole.csv
    gpustat $c data/ $v -q -f csv > unsaid.csv
    cmp -s whole.csv unsaid.csv && echo "$c: says the same without it"
    for i in 1 2 3; do gpustat $c data/ $v -q --sensor $said --shard $i/3 --partial $i.state; done
    gpustat merge [123].state -q -f csv | cmp - whole.csv && echo "$c: by shards"
done
for s in window=100ms,gain=1.05 ''; do
    gpustat events data/ -q --explain -f csv ${s:+--sensor $s} --card 'Tesla P100-PCIE-16GB' | grep -o 'sensors of .*[^"]'
done
gpustat gpus data/ --sensor gain=0
gpustat events data/ --card 'Tesla'
