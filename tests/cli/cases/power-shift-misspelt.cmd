gpustat power data/power-log.csv --windows data/power-windows.csv --shift 1x
