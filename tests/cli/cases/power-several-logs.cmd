printf 'time,power\n0,10\n1,30\n' > a.csv
gpustat power a.csv data/power-log.csv -f csv -q
