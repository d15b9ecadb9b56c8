gpustat --version; gpustat -V | cmp - <(gpustat version)
