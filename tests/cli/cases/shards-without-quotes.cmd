# What a shell makes of --gpu gpu-*.csv, with the directory before, behind, or not at all.
{ head -n 1 data/gpu.csv; sed -n '2~2p' data/gpu.csv; } > gpu-1.csv
{ head -n 1 data/gpu.csv; sed -n '3~2p' data/gpu.csv; } > gpu-2.csv
gpustat events data/ -q -f csv > whole
gpustat events data/ --gpu gpu-*.csv -q -f csv | cmp - whole && echo same
gpustat events --gpu gpu-*.csv data/ -q -f csv | cmp - whole && echo same
gpustat events --gpu gpu-*.csv --checkpoints data/application-checkpoints.csv -q -f csv | cmp - whole && echo same
gpustat events --gpu 'gpu-*.csv' data/ -q -f csv | cmp - whole && echo same
