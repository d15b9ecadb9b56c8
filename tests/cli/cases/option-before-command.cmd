gpustat --format=csv events data/
