gpustat balance data/
