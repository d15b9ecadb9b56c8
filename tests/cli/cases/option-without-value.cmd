gpustat events data/ --sort
