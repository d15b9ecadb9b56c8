gpustat power data/power-log.csv --shift auto
