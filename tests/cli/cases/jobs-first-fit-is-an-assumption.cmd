# --share first-fit is assumed, not exact. Where GPUs that nobody should hold work while those of the jobs idle, the data refute it; where they do not, no word. A job that has its whole node is exact.
for busy in 0 1; do
    mkdir busy-$busy
    python3 - $busy > busy-$busy/gpu.csv <<'PY'
import sys
busy = int(sys.argv[1])
print("timestamp,hostname,gpu,power.draw [W],utilization.gpu [%]")
for t in range(0, 7201, 60):
    for host in "ab":
        for gpu in range(2):
            on = host == "b" or gpu == busy
            print("%d,%s,%d,%d,%d" % (1761170400 + t, host, gpu, 300 if on else 60, 95 if on else 0))
PY
    {
        echo 'JobID|User|State|Start|End|NodeList|AllocTRES'
        echo '1|ann|COMPLETED|2025-10-22T22:00:00|2025-10-23T00:00:00|a|gres/gpu=1'
        echo '2|bo|COMPLETED|2025-10-22T22:00:00|2025-10-23T00:00:00|b|gres/gpu=2'
    } > busy-$busy/sacct.txt
    gpustat jobs busy-$busy --tz UTC --share first-fit --by user --show user,energy_j,idle_pct,attribution -f csv 2>&1
done
