gpustat power data/power-log.csv --price 0.30/kWh --carbon 0.38kg/kWh --pue 1.2 -f csv -q
