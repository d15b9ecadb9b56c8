# Zeros that a logger wrote for what it could not read, among other powers; a clock that was written too coarsely.
awk 'BEGIN { print "time,power_w"; for (i = 0; i < 60; i++) printf "2025-03-04 09:30:%02d,%d\n", i, i % 10 ? 300 + i % 7 : 0 }' > zeros.csv
awk 'BEGIN { print "time,power_w"; for (i = 0; i < 60; i++) printf "1.74108e+09,%d\n", 300 + i % 7 }' > clock.csv
awk 'BEGIN { print "time,power_w"; for (i = 0; i < 60; i++) printf "2025-03-04 09:30:%02d,%d\n", i, i == 9 ? 0 : 300 + i % 7 }' > once.csv
# One that is off most of the time has no reading that zeros are odd beside.
awk 'BEGIN { print "time,power_w"; for (i = 0; i < 60; i++) printf "2025-03-04 09:30:%02d,%d\n", i, i % 10 ? 0 : 300 + i % 7 }' > off.csv
for f in zeros clock once off; do gpustat power $f.csv 2>&1 > out.txt | grep warning; done
