gpustat power data/sweep.csv data/iterations.csv
