# GPUs that an index alone tells apart: rows say which, and shards and passes give the bytes of the whole.
awk 'BEGIN {
    print "timestamp,hostname,gpu_index,power_w"
    for (i = 0; i < 100000; i++)
        printf "2024-05-01T12:%02d:%02d.%03dZ,n%d,%d,%d\n", i / 60000, i / 1000 % 60, i % 1000, i % 4, i / 4 % 8, 100 + i % 7
}' > gpu.csv
gpustat gpus gpu.csv -q -f csv > one
cut -d, -f 1-5 one | head -4
gpustat gpus gpu.csv -q -f csv --max-memory 17M | cmp - one
for i in 1 2 3; do gpustat gpus gpu.csv -q --shard $i/3 --partial $i.state; done
gpustat merge ?.state -q -f csv | cmp - one && echo same
