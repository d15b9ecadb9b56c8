gpustat events data/ -q --plot missing/figure.svg
