gpustat forest trian x.csv; gpustat forest xyzzy x.csv
