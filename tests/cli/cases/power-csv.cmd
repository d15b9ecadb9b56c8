gpustat power data/power-log.csv --runtime 60 --runtime-sd 0.1 -N 5000 --error full -f csv
