gpustat sweep data/sweep.csv
