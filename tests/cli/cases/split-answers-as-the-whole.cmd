# The parts are a run with the same answers; each holds whole hosts; nothing is lost.
gpustat split data/ -o parts --parts 3 -f csv | cut -d, -f 1-3
ls parts
gpustat events data/ -q -f csv > whole
gpustat events parts -q -f csv | cmp - whole && echo same answers
for n in 1 2 3; do
    zstd -dc parts/gpu-000$n.csv.zst | tail -n +2 | cut -d, -f 2 | sort -u | sed "s/^/$n /"
done
zstd -dc parts/gpu-*.csv.zst | grep -v hostname | sort | cmp - <(grep -v hostname data/gpu.csv | sort) && echo same rows
