gpustat events data/ --duplicates keep --quiet --top 1 -f csv | cut -d, -f1
