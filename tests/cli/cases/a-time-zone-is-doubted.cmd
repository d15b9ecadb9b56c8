# A log in local time beside events in UTC, neither of which says so: the shift that fits is told with what to type, and typed it fits. One that fits already is left alone.
python3 - <<'PY'
import os
def run(d, shift):
    os.makedirs(d)
    with open(d + "/gpu.csv", "w") as f:
        f.write("timestamp, index, power.draw [W], utilization.gpu [%]\n")
        for t in range(0, 6 * 3600, 10):
            busy = 3600 <= t < 3 * 3600 or 4 * 3600 <= t < 4.5 * 3600
            s = t + shift
            f.write("2026/03/04 %02d:%02d:%02d.000, 0, %d.00 W, %d %%\n" % (6 + s // 3600, s // 60 % 60, s % 60, 300 if busy else 60, 97 if busy else 0))
    with open(d + "/events.csv", "w") as f:
        f.write("event,start,end\n")
        for k in range(12):
            f.write("epoch,2026-03-04T%02d:%02d:00,2026-03-04T%02d:%02d:00\n" % (7 + k // 6, k % 6 * 10, 7 + (k + 1) // 6, (k + 1) % 6 * 10))
run("fits", 0)
run("local", 2 * 3600)
PY
gpustat events fits --show event,n,power_time_w -f csv
gpustat events local --show event,n,power_time_w -f csv
gpustat events local --set events.zone=-02:00 --show event,n,power_time_w -f csv
