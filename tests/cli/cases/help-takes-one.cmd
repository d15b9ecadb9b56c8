gpustat help a b
