# Samples that end at half of the time, or begin there: of a host's GPU, of one of two hosts, of all while jobs go on.
python3 - <<'PY'
import os
def write(name, keeps, jobs, label=""):
    os.makedirs(name)
    with open(name + "/gpu.csv", "w") as f:
        f.write("timestamp,host,gpu,power_w" + (",hpc_job" if label else "") + "\n")
        for t in range(0, 3600, 10):
            for host in ("n1", "n2"):
                for gpu in (0, 1):
                    if keeps(t, host, gpu):
                        f.write("%d,%s,%d,%d%s\n" % (1773144000 + t, host, gpu, 300 + t // 10 % 7, label and ",7"))
    with open(name + "/sacct.txt", "w") as f:
        f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n" + jobs)
JOBS = "1|ann|COMPLETED|2026-03-10T12:00:00|2026-03-10T12:59:50|n[1-2]|gres/gpu=4,node=2\n"
write("whole", lambda t, host, gpu: True, JOBS)
write("one-gpu", lambda t, host, gpu: host == "n1" or gpu == 0 or t < 1800, JOBS)
write("late", lambda t, host, gpu: host == "n2" or gpu == 0 or t > 1800, JOBS)
write("one-host", lambda t, host, gpu: host == "n1" or t < 1800, JOBS)
write("all", lambda t, host, gpu: t < 1800, JOBS)
write("other-runs", lambda t, host, gpu: (host == "n1") == (t < 1800), "1|ann|COMPLETED|2026-03-10T12:01:00|2026-03-10T12:20:00|n1|gres/gpu=2\n")
write("jobs-alone", lambda t, host, gpu: gpu == 0 or 600 < t < 1200, JOBS, "7")
PY
for run in whole one-gpu late one-host all other-runs jobs-alone; do
    echo "== $run"
    gpustat check $run --tz UTC -f csv -q --show severity,id,finding,count,first_place | grep 'partly\|cut' || true
done
