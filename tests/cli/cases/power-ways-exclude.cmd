gpustat power data/power-log.csv --phases --points
