gpustat timeline data/ --every 1ns
