printf 'op,input_size,time_s\nReLU(),"(1, 2)",1e-5\n"Conv2d(3, 64",  "(1, 3, 8, 8)",1e-5\n' > o.csv
gpustat forest evaluate o.csv
