gpustat power data/power-log.csv --price 0.30
