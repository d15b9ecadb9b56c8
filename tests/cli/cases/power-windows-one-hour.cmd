gpustat power data/power-log.csv --windows data/power-windows.csv --shift 1h --sort energy_j:desc --top 2 2> said
grep -v 'missing in the samples\|without a zone' said >&2 # in the order of whichever reader took it
