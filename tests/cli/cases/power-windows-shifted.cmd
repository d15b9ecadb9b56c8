gpustat power data/power-log.csv --windows data/power-windows.csv --shift auto -f csv 2> said
grep -v 'missing in the samples\|without a zone' said >&2 # in the order of whichever reader took it
