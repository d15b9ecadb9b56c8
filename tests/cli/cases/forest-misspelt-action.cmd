gpustat forest evalute data/operations.csv
