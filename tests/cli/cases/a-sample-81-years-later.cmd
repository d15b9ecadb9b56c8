# One reading 81 years after all others: check warns, and timeline says which step would do.
cp data/*.csv .
tail -n 1 gpu.csv | sed 's/^[^,]*/2099-01-01T00:00:00.000Z/' >> gpu.csv
gpustat check . -f csv | grep gaps
gpustat timeline . -q > out || echo "$?"
gpustat timeline . -q -f csv --every 2529251ms | wc -l
