printf '#gpu date time field value\n0 20200101 10:00:00 155 50\n#date time gpu pwr\n20200101 10:00:01 0 50\n' > m
gpustat power m -f csv -q
