gpustat timeline data/ --every 1min
