gpustat --version >&-
