# The jobs of an array are one row, those of none one each; and a list with users may call its jobs id.
awk 'BEGIN { print "timestamp,hostname,index,power_w"
    for (k = 0; k <= 60; k++) for (g = 0; g < 2; g++) print 1741636800 + k * 60 ",n1," g "," 100 + g }' > gpu.csv
cat > sacct.txt <<'END'
JobID|JobIDRaw|User|State|JobName|NodeList|NNodes|Start|End|AllocTRES
10_1|11|ann|COMPLETED|arr|n1|1|2025-03-10T20:00:00|2025-03-10T20:30:00|gres/gpu=1
10_2|12|ann|COMPLETED|arr|n1|1|2025-03-10T20:30:00|2025-03-10T21:00:00|gres/gpu=1
13|13|bob|COMPLETED|one|n1|1|2025-03-10T20:00:00|2025-03-10T20:30:00|gres/gpu=1
14|14|bob|COMPLETED|one|n1|1|2025-03-10T20:30:00|2025-03-10T20:45:00|gres/gpu=1
END
gpustat jobs gpu.csv sacct.txt --tz UTC --by array -q -f csv --show array,jobs,gpu_h
printf 'id,user,host,gpus,start,end\n7,ann,n1,2,2025-03-10T20:00:00Z,2025-03-10T20:30:00Z\n8,bob,n1,1,2025-03-10T20:30:00Z,2025-03-10T21:00:00Z\n' > id.csv
gpustat jobs gpu.csv id.csv -q -f csv --show job,user,gpu_h,energy_j
echo '[{"id": 7, "user": "ann", "host": "n1", "gpus": 2, "start": "2025-03-10T20:00:00Z", "end": "2025-03-10T20:30:00Z"}]' > id.json
gpustat jobs gpu.csv id.json -q -f csv --show job,user,gpu_h
