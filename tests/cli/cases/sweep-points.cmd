gpustat sweep data/sweep.csv --points --where network=resnet50 -f csv
