gpustat balance data/ --explain --format csv -q
