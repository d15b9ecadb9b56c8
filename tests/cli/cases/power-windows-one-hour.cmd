gpustat power data/power-log.csv --windows data/power-windows.csv --shift 1h --sort energy_j:desc --top 2
