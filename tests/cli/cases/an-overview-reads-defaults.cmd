# gpustat DIR alone reads its defaults: GPUSTAT_TZ moves times without a zone. GPUs of two files whose temperatures agree, but not their powers, are no copies.
mkdir run
awk 'BEGIN { print "timestamp,hostname,gpu,temperature.gpu"; for (t = 0; t < 40; t++) for (g = 0; g < 2; g++) printf "2025-10-23 10:00:%02d,n1,%d,%d\n", t, g, 50 + t % 3 }' > run/temp.csv
awk 'BEGIN { print "timestamp,hostname,gpu,power.draw [W]"; for (t = 0; t < 40; t++) for (g = 0; g < 2; g++) printf "2025-10-23 10:00:%02d,n1,%d,%d\n", t, g, 100 + 10 * g + t % 3 }' > run/power.csv
export GPUSTAT_SHOW=
GPUSTAT_TZ=+02:00 gpustat run
gpustat run --tz +02:00 -q | head -n 4
