gpustat power data/power-log.csv --power-column instant
