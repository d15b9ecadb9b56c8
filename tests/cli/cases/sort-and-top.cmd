gpustat events data/ -q -f csv --sort duration_mean_ms:desc --top 2 | cut -d, -f1,2; gpustat events data/ -qfcsv -n1 -s event:desc | cut -d, -f1
