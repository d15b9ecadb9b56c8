# One GPU of a shared node idles and nothing tells whose: pro rata both users waste, surely nobody does. Who has a whole node idle surely wastes all of it, and the report names that user alone.
mkdir site && cd site
python3 - <<'PY'
with open("gpu.csv", "w") as f:
    f.write("timestamp,hostname,gpu,power.draw [W],utilization.gpu [%]\n")
    for t in range(0, 36001, 60):
        for host, busy in ("a", (0, 1, 1, 1)), ("b", (0, 0, 0, 0)):
            for gpu, on in enumerate(busy):
                f.write("%d,%s,%d,%d,%d\n" % (1761170400 + t, host, gpu, 300 if on else 60, 95 if on else 0))
with open("sacct.txt", "w") as f:
    f.write("JobID|User|State|Start|End|NodeList|AllocTRES\n")
    f.write("1|ann|COMPLETED|2025-10-22T22:00:00|2025-10-23T08:00:00|a|gres/gpu=2\n")
    f.write("2|bo|COMPLETED|2025-10-22T22:00:00|2025-10-23T08:00:00|a|gres/gpu=2\n")
    f.write("3|cy|COMPLETED|2025-10-22T22:00:00|2025-10-23T02:00:00|b|gres/gpu=4\n")
PY
gpustat jobs . --by user --tz UTC --show user,gpu_h,wasted_gpu_h,wasted_low_gpu_h,wasted_high_gpu_h -f csv -q
GPUSTAT_SHOW= gpustat jobs . --by user --tz UTC -q
gpustat report . --tz UTC -o page -q > report.txt
grep -e "left most" -e "largest single" page/report.md
