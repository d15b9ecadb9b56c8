gpustat power data/power-log.csv --metrics -N 600 -f jsonl -q
