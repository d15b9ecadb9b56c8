gpustat map data/
