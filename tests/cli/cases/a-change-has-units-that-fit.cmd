# Measures of several units stand in one column: each row has the unit that fits its values. CSV keeps one.
unset GPUSTAT_SHOW
gpustat diff data/own data/own -q | head -n 12
gpustat diff data/own data/own -q -f csv | cut -d, -f 1,2,8,18 | head -n 3
