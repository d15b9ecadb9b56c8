gpustat crosstalk data/crosstalk.csv -f csv
