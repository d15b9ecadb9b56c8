gpustat proportionality data/iterations.csv -f csv
