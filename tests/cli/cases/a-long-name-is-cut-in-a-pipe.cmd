# A kernel's name has thousands of bytes; without a terminal the table keeps 100 of a line, CSV all.
long=$(printf 'void kernel<float, %0.s' $(seq 200))
printf 'timestamp,power.draw [W]\n2024-05-01 12:00:00, 100 W\n2024-05-01 12:00:10, 100 W\n' > gpu.csv
printf 'name,start,duration_ms\n"%s",2024-05-01T12:00:01Z,500\n' "$long" > events.csv
GPUSTAT_SHOW=event,n,energy_sum_j gpustat events gpu.csv events.csv -q
gpustat events gpu.csv events.csv -q -f csv --show event | wc -c
