gpustat balance data/ --by gpu --top 12 -q
