gpustat power data/power-log.csv --phases -q --top 3
