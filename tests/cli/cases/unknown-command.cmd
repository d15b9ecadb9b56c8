gpustat evnets data/
