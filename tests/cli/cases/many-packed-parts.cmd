# Of packed files one is open at a time: their number costs neither descriptors nor memory. And passes over them agree.
gpustat split data/ -o parts --parts 300 -q > files
gpustat gpus data/ -q -f csv > whole
(
    ulimit -n 40
    gpustat gpus parts -q -f csv | cmp - whole && echo within 40 descriptors
    gpustat gpus parts -q -f csv --shard 1/1 --partial all.state && gpustat merge all.state -q -f csv | cmp - whole && echo a state
    gpustat gpus parts -q -f csv --max-memory 30M | cmp - whole && echo in passes
)
# In another form, too.
mkdir run
for n in $(seq 50); do
    printf 'timestamp,host,gpu,power_w\n2024-05-01T12:00:10Z,n%d,0,%d\n2024-05-01T12:00:20Z,n%d,0,%d\n' "$n" "$n" "$n" "$n" |
        gzip > "run/samples-$n.csv.gz"
done
echo "name,start,end
a,2024-05-01T12:00:10Z,2024-05-01T12:00:20Z" > run/spans.csv
(ulimit -n 30; gpustat events run -q -f csv) | cut -d, -f 1-3,10,15
