# A sweep with columns of its own names: their units make them clock, time and power; what is missing is named at once.
awk 'BEGIN { print "model,gpu_clock_mhz,latency_ms,power_w"; for (f = 600; f <= 1800; f += 300) for (k = 0; k < 3; k++) printf "a,%d,%.1f,%d\n", f, 60000 / f + k / 10, f < 1200 ? 100 : 100 + (f - 900) / 3 }' > sweep.csv
gpustat sweep sweep.csv -f csv --points --show frequency_mhz,n,time_mean_s,power_mean_w
printf 'model,foo\na,1\n' > bare.csv; gpustat sweep bare.csv
# What other tools call a key, and a city of a zone.
printf 'name,host,start,stop\na,n1,2024-05-01T12:00:00Z,2024-05-01T12:00:09Z\n' > spans.csv
gpustat events spans.csv --by node
gpustat events spans.csv --tz Berlin
