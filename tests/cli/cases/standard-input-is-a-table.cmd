gpustat events --gpu - --checkpoints data/application-checkpoints.csv -f csv -q < data/gpu.csv | cmp - <(gpustat events data/ -f csv -q)
