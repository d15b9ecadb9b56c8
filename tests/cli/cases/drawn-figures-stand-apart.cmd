gpustat events data/ -q --plot - -o r.csv | grep -B1 '^Energy by event'
