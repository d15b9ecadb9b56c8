unset GPUSTAT_SHOW GPUSTAT_VERBOSE
gpustat data
gpustat data/power-log.csv -q
gpustat data/own/steps.csv -q
gpustat data/own -q -f csv --show role,rows
gpustat data/own -o list.csv
gpustat nosuch
