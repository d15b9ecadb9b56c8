# A list of jobs in local time beside samples by the epoch: the offset that fits the load is named and, typed, tells no more. Jobs in UTC pass; few jobs are warned of without an offset.
python3 - <<'PY'
import os, time
def site(d, hours, n):
    os.makedirs(d)
    t0, seed, jobs = 1761170400, 7, []
    for host in range(3):
        t = t0
        while t < t0 + 86400 and len(jobs) < n:
            seed = seed * 1103515245 % 2147483648
            t, wall = t + seed // 65536 % 9000, 3600 + seed // 1024 % 14000
            jobs.append((host, t, t + wall))
            t += wall
    with open(d + "/gpu.csv", "w") as f:
        f.write("timestamp,hostname,gpu,power.draw [W],utilization.gpu [%]\n")
        for host in range(3):
            for t in range(t0, t0 + 86400, 300):
                busy = any(h == host and a <= t < b for h, a, b in jobs)
                f.write("%d,n%d,0,%d,%d\n" % (t, host, 300 if busy else 60, 95 if busy else 0))
    with open(d + "/sacct.txt", "w") as f:
        f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n")
        for i, (h, a, b) in enumerate(jobs):
            at = [time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(x + hours * 3600)) for x in (a, b)]
            f.write("%d|ann|COMPLETED|%s|%s|n%d|gres/gpu=1\n" % (i, *at, h))
site("local", 5.5, 99)
site("utc", 0, 99)
site("few", 2, 2)
PY
for run in local "local --tz +05:30" utc few "few --tz UTC"; do
    echo "$run"
    GPUSTAT_VERBOSE= gpustat jobs $run --by user --show user,jobs,energy_j,idle_pct -f csv 2>&1
done
