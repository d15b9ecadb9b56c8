gpustat check data/
