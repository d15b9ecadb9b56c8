gpustat schedule data/
