gpustat help > /dev/full
