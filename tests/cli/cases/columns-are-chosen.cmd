unset GPUSTAT_SHOW
gpustat events data/ -q --show 'event,energy*' -f csv
gpustat events data/ -q --show default -f csv --top 1
gpustat events data/ -q --show n,event --top 2
gpustat events data/ -q --show default,temp_mean_c --top 2 --width 60
gpustat events data/ -q --show evnt
