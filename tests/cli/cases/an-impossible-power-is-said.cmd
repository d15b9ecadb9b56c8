# A reading that no GPU has stays in what is made of it, since nobody knows what it should have been; whoever reads a mean is told.
rows() { echo 'timestamp,hostname,gpu,power_w'; for i in 0 1 2 3 4 5 6 7 8 9; do echo "2024-01-01T00:00:0${i}Z,n1,0,$1"; done; }
rows 100 | sed '5s/100$/-5/' > one.csv
rows 100 | sed '5s/100$/-5/; 7s/100$/200000/' > two.csv
rows 0 > none.csv
for f in one two none; do gpustat gpus $f.csv -f csv --show power_mean_w 2>&1 | grep -v note:; done
gpustat check one.csv -q -f csv | grep impossible
rows 100 | sed '7s/100$/65535/' > sentinel.csv # what 16 bits write for nothing
gpustat gpus sentinel.csv -f csv --show power_mean_w 2>&1 | grep -v note:
# Where the median says that all of them are in another unit, that is said and not each of them.
awk 'BEGIN { print "time,gpu,power_w"; for (k = 0; k < 20; k++) printf "2025-03-10T20:00:%02dZ,0,%d\n", k, 300000 + k }' > unit.csv
gpustat gpus unit.csv 2>&1 > table | grep -o 'the median of power_w is [0-9.e+]* W\|impossible' || :
