gpustat diff data data
