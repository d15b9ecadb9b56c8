gpustat
