gpustat timeline data/ --event Rendr
