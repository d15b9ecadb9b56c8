gpustat events data/ data/
