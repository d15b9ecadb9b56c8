# Of ann 2 GPUs x 60 s, of bob 1 x 60.
awk 'BEGIN { print "timestamp,power.draw [W],utilization.gpu [%]"; for (i = 0; i < 300; i++) { on = i >= 60 && i < 180; printf "%d,%d W,%d\n", 1735689480 + i, on ? 300 : 60, on ? 99 : 0 } }' > gpu.csv
cat > flux.txt <<'END2'
JOBID USER NAME STATE NNODES NGPUS T_RUN T_CLEANUP NODELIST
fA ann x CD 1 2 1735689540 1735689600 a
fB bob x CD 1 1 1735689600 1735689660 a
END2
cat > flux.json <<'END2'
{"jobs": [{"id": "fA", "userid": 1001, "username": "ann", "name": "x", "nnodes": 1, "ngpus": 2, "t_run": 1735689540.0, "t_cleanup": 1735689600.0, "state": "INACTIVE", "nodelist": "a"},
{"id": "fB", "userid": 1002, "username": "bob", "name": "x", "nnodes": 1, "ngpus": 1, "t_run": 1735689600.0, "t_cleanup": 1735689660.0, "state": "INACTIVE", "nodelist": "a"}]}
END2
sed '1s/$/,hostname,uuid/; 1!s/$/,a,G0/; p; 1d; s/G0$/G1/' gpu.csv > two.csv
for f in flux.txt flux.json; do
    gpustat jobs two.csv --events $f --tz UTC --by user --format csv --show user,gpu_h 2> /dev/null
done
