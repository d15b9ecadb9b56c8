gpustat events data/ --top 1 -f csv | cut -d, -f1
