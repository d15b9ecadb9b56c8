gpustat proportionality data/iterations.csv --points -q --top 14
