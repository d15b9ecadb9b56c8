mkdir half && cp data/application-checkpoints.csv half && gpustat schedule half -q --format csv
