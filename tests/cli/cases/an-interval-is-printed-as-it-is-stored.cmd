# Two ends that lie unlike far from the value are printed as the CSV form has them, in kWh and as a cost; a half-width stands where both sides agree.
mkdir site && cd site && python3 - <<'PY'
with open("gpu.csv", "w") as f:
    f.write("timestamp,hostname,gpu,power.draw [W]\n")
    for host, powers in ("a", (60, 300)), ("b", (200, 200)):
        for t in range(0, 36001, 60):
            for gpu, w in enumerate(powers):
                f.write("%d,%s,%d,%d\n" % (1761170400 + t, host, gpu, w))
with open("sacct.txt", "w") as f:
    f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n")
    f.write("1|ann|COMPLETED|2025-10-22T22:00:00|2025-10-23T08:00:00|a|gres/gpu=1\n")
    f.write("2|bo|COMPLETED|2025-10-22T22:00:00|2025-10-23T08:00:00|b|gres/gpu=2\n")
PY
GPUSTAT_SHOW= GPUSTAT_VERBOSE= gpustat jobs . --by user --tz UTC --price 0.30EUR/kWh 2>&1
gpustat jobs . --by user --tz UTC --show user,energy_j,energy_low_j,energy_high_j -f csv 2>&1
