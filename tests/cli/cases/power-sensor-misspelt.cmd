gpustat power data/power-log.csv --sensor period=100ms,windw=1s
