gpustat events ""
