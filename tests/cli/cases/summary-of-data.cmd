gpustat summary data/
