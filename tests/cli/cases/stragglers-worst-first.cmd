gpustat stragglers data/
