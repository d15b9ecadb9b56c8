gpustat events data/ --join windwo
