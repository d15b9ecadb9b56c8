gpustat power
