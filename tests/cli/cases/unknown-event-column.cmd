gpustat events data/ -q --sort power_mean
