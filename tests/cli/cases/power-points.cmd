gpustat power data/power-log.csv --points --sort power_w:desc --top 3 -q
