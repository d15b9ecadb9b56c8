gpustat balance data/ --by level --format csv --duplicates drop
