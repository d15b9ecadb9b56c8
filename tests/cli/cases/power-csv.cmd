gpustat power data/power-log.csv --runtime 60 --runtime-sd 0.1 -N 5000 --error full -f csv 2> said
grep -v 'missing in the samples\|without a zone' said >&2 # in the order of whichever reader took it
