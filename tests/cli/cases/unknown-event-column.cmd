gpustat events data/ -q --sort power
