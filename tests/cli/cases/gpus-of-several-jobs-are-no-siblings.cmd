# Half a node is busy for one user and half idle for another: no GPU is to blame. Where one job holds the node, its slow GPU is named; labels of jobs say the same.
python3 - <<'PY'
def log(path, hosts, label):
    with open(path, "w") as f:
        f.write("timestamp,hostname,index,sm_clock_mhz,power_w,temp_c,gpu_util_pct" + (",hpc_job" if label else "") + "\n")
        for t in range(0, 7200, 10):
            for host in hosts:
                for g in range(4):
                    busy = host == "n2" or g < 2 or t < 60
                    slow = host == "n2" and g == 3
                    f.write("%d,%s,%d,%d,%.1f,%d,%d%s\n" % (
                        1772614800 + t, host, g, (1355 if slow else 1755) + t // 10 % 3 * 15 if busy else 345,
                        (560 if slow else 640) + (t // 10 * 7 + g) % 11 if busy else 70, 60 + 20 * slow if busy else 35, 97 if busy else 0,
                        (",%d" % (3 if host == "n2" else 1 if g < 2 else 2)) if label else ""))
log("gpu.csv", ("n1", "n2"), False)
log("labelled.csv", ("n1", "n2"), True)
with open("sacct.txt", "w") as f:
    f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n")
    for job, user, node, gpus in ((1, "ada", "n1", 2), (2, "bob", "n1", 2), (3, "cyd", "n2", 4)):
        f.write("%d|%s|COMPLETED|2026-03-04T09:00:00|2026-03-04T11:00:00|%s|cpu=8,gres/gpu=%d,node=1\n" % (job, user, node, gpus))
PY
gpustat gpus --samples gpu.csv --events sacct.txt -q -f csv --show hostname,gpu_uuid,gpu_verdict
gpustat gpus --samples labelled.csv -q -f csv --show hostname,gpu_uuid,gpu_verdict
gpustat gpus --samples gpu.csv -q -f csv --show hostname,gpu_uuid,gpu_verdict | grep -c idle
