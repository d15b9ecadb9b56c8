gpustat man frobnicate
