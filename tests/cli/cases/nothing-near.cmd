gpustat xyzzy
