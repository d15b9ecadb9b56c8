gpustat bias data/
