gpustat power data/power-log.csv
