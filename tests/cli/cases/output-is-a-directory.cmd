gpustat events data/ -q -o data
