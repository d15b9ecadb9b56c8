gpustat power data/power-log.csv --card 'GeForce RTX 3090'
