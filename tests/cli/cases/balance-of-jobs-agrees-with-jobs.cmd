# On nodes that jobs share, balance gives each name what jobs gives it, and the GPUs that nobody holds are idle: to the last digit that jobs prints, in shards and by pass, too.
mkdir site && cd site
python3 - <<'PY'
with open("gpu.csv", "w") as f:
    f.write("timestamp,hostname,gpu,power.draw [W],utilization.gpu [%]\n")
    for host, powers in ("a", (55, 60, 307, 291)), ("b", (200, 210, 57, 58)), ("c", (50, 51, 52, 53)):
        for t in range(0, 36001, 60):
            for gpu, w in enumerate(powers):
                w += (t // 60 * 7 + gpu) % 5
                f.write("%d,%s,%d,%d,%d\n" % (1761170400 + t, host, gpu, w, 90 if w > 100 else 0))
with open("sacct.txt", "w") as f:
    f.write("JobID|JobName|User|State|Start|End|NodeList|AllocTRES\n")
    f.write("1|fit|ann|COMPLETED|2025-10-22T22:10:20|2025-10-23T03:00:10|a|gres/gpu=1\n")
    f.write("2|tune|bo|COMPLETED|2025-10-22T23:00:00|2025-10-23T02:30:00|a|gres/gpu=2\n")
    f.write("3|fit|ann|COMPLETED|2025-10-22T21:00:00|2025-10-23T04:30:40|b|gres/gpu=3\n")
    f.write("4|tune|cy|COMPLETED|2025-10-23T04:00:00|2025-10-23T06:00:00|b|gres/gpu=1\n")
PY
gpustat jobs . --by name --tz UTC --show name,gpu_h,energy_j,energy_low_j,energy_high_j -f csv -q
gpustat balance . --tz UTC --show state,part,time_s,energy_j,energy_low_j,energy_high_j -f csv -q > whole
cat whole
gpustat balance . --tz UTC --show state,part,time_s,energy_j,energy_low_j,energy_high_j -f csv -q --max-memory 40M | cmp - whole && echo by pass the same
for i in 1 2; do gpustat balance . --tz UTC --shard $i/2 --partial part-$i -q; done
gpustat merge part-1 part-2 -q --show state,part,time_s,energy_j,energy_low_j,energy_high_j -f csv | cmp - whole && echo in shards the same
