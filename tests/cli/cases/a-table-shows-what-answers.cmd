unset GPUSTAT_SHOW GPUSTAT_VERBOSE
gpustat events data/
gpustat gpus data/ --top 2
gpustat balance data/ -q --top 3
gpustat power data/power-log.csv -q
