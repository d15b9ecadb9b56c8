zstd -q --long=31 -c < data/gpu.csv > gpu.csv.zst
gpustat events data/ --gpu gpu.csv.zst
