gpustat crosstalk data/crosstalk.csv --matrix
