gpustat tiles data/ --level 7
