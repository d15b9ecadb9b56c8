gpustat schedule data/ --by host --format csv --duplicates drop -q
