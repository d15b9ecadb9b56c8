gpustat power data/power-log.csv --error full
