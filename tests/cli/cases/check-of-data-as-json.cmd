gpustat check data/ -f json
