# Of ann, whose number stands behind the name, 2 GPUs x 60 s, of bob 1 x 60.
awk 'BEGIN { print "timestamp,power.draw [W],utilization.gpu [%]"; for (i = 0; i < 300; i++) { on = i >= 60 && i < 180; printf "%d,%d W,%d\n", 1735689480 + i, on ? 300 : 60, on ? 99 : 0 } }' > gpu.csv
cat > own.csv <<'END2'
job,user,node,gpus,start,end
7,ann(1001),a,2,2024-12-31T23:59:00Z,2025-01-01T00:00:00Z
8,bob(1002),a,1,2025-01-01T00:00:00Z,2025-01-01T00:01:00Z
END2
sed '1s/$/,hostname,uuid/; 1!s/$/,a,G0/; p; 1d; s/G0$/G1/' gpu.csv > two.csv
gpustat jobs two.csv --events own.csv --tz UTC --by user --format csv --show user,gpu_h 2> /dev/null

# A process and the sample in brackets; the step of a trace.
printf 'task_id\thash\tnative_id\tname\tstatus\texit\tstart\tcomplete\n' > trace.txt
for i in 0 1 2 3; do printf '%d\tab/%d\t%d\tBASECALL (s%d)\tCOMPLETED\t0\t2024-12-31 23:59:%d0.000\t2024-12-31 23:59:%d9.000\n' $i $i $i $i $i $i; done >> trace.txt
gpustat events gpu.csv --events trace.txt --tz UTC --format csv --show event,n,duration_mean_ms,energy_sum_j 2> /dev/null
awk 'BEGIN { printf "{\"baseTimeNanoseconds\": 1735689540000000000, \"traceEvents\": ["; for (i = 0; i < 4; i++) printf "%s{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 10000000}, {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": 9000000, \"args\": {\"device\": 0}}", i ? ", " : "", i, i * 1e7, i * 1e7; print "]}" }' > trace.json
gpustat events trace.json --format csv --show event,n,duration_mean_ms 2> /dev/null
