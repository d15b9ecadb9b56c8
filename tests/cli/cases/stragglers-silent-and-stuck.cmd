# Eight GPUs at work: 3 disappears from the log, 6 answers [N/A] from some time on, 1 repeats one power reading. The
# last readings of all end together, and what begins late, or is [N/A] throughout, is not silent.
python3 - > log.csv <<'PY'
import datetime, random
r = random.Random(4)
print("timestamp, index, utilization.gpu [%], temperature.gpu, power.draw [W], clocks.current.sm [MHz]")
start = datetime.datetime(2025, 11, 21, 4, 39, 30)
for t in range(400):
    for g in range(8):
        busy = 10 <= t < 390
        if (g == 3 and t >= 200) or (g == 5 and t < 100):
            continue
        power = "%.2f W" % (640 + r.gauss(0, 9) if busy else 62)
        power = "[N/A]" if g == 6 and t >= 250 else "640.12 W" if g == 1 and 120 <= t < 300 else power
        print((start + datetime.timedelta(seconds=t)).strftime("%Y/%m/%d %H:%M:%S.000"), g,
              "%d %%" % (r.randint(92, 100) if busy else 0), 61 + g if busy else 34, power,
              "%d MHz" % (1755 + r.choice((-15, 0, 15)) if busy else 345), sep=", ")
PY
gpustat gpus log.csv --tz UTC -f csv | cut -d, -f3,17-19
gpustat gpus log.csv --tz UTC -q -f csv --fail-if 'gpu_verdict=silent' > /dev/null || echo "exit $?"
