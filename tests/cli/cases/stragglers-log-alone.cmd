# A GPU log alone: eight GPUs in step, GPU 5 throttled by heat, GPU 2 at a power cap for a fifth of the time.
python3 - > log.csv <<'PY'
import datetime, random
r = random.Random(4)
print("timestamp, index, utilization.gpu [%], temperature.gpu, power.draw [W], clocks.current.sm [MHz], clocks_throttle_reasons.active")
start = datetime.datetime(2025, 11, 21, 4, 39, 30)
for t in range(600):
    for g in range(8):
        busy, hot = 30 <= t < 570, g == 5
        some = busy and g == 2 and t % 100 >= 80
        clock = 1755 - 400 * hot - 330 * some + r.choice((-15, 0, 15)) if busy else 345
        reasons = "0x0000000000000040" if busy and hot else "0x0000000000000004" if some else "0x0000000000000000"
        print((start + datetime.timedelta(seconds=t)).strftime("%Y/%m/%d %H:%M:%S.000"), g,
              "%d %%" % (r.randint(92, 100) if busy else 0), 61 + g + 18 * hot if busy else 34,
              "%.2f W" % (640 + r.gauss(0, 9) - 60 * hot if busy else 62), "%d MHz" % clock, reasons, sep=", ")
PY
gpustat stragglers log.csv --tz UTC --format csv | cut -d, -f3,5,21-25,33-35
gpustat gpus log.csv --tz UTC -q --format csv | cut -d, -f3,16-
echo "the same in any order of the rows, in parts, and on any number of threads:"
gpustat stragglers log.csv --tz UTC -q --all --format csv > whole.csv
(head -1 log.csv; tail -n +2 log.csv | sort -R --random-source=log.csv) > mixed.csv
gpustat stragglers mixed.csv --tz UTC -q --all --format csv -j 3 --set samples.host.text=log | cmp - whole.csv && echo same
cut -d, -f1-5 log.csv > noclock.csv
gpustat stragglers noclock.csv --tz UTC --format csv | cut -d, -f3,21
echo "without throttle reasons the cause is inferred; the table shows from what:"
cut -d, -f1-6 log.csv > noreasons.csv
env -u GPUSTAT_SHOW gpustat stragglers noreasons.csv --tz UTC 2>&1
