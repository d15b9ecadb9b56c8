gpustat forest train data/operations.csv
