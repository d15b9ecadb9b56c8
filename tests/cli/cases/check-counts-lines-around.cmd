# A program's message between the rows is counted where data quality is told.
awk 'NR == 3 || NR == 40 { print "Traceback (most recent call last): no, comma" } { print }' data/own/nvidia-smi.csv > log.csv
gpustat check log.csv -f csv -q | grep lines
gpustat check log.csv -f csv -q --part 1/1 --partial state && gpustat merge state -f csv -q | grep lines
