printf '{"schema": "gpustat.events/1"}' > m.json
gpustat forest predict data/operations.csv --model m.json
