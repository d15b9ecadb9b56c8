gpustat bias data/ --format json --top 1
