# A log alone that names jobs: both GPUs of host n1 are throttled, which shows only against the other hosts of the job.
# What the GPUs did is the same with the jobs and without, also where a GPU served two.
python3 - > log.csv <<'PY'
import random
r = random.Random(7)
print("timestamp,hostname,index,sm_clock_mhz,power_w,temp_c,gpu_util_pct,hpc_job")
for t in range(100):
    for h in range(6):
        for g in range(2):
            clock = 1755 - 400 * (h == 1) + r.choice((-15, 0, 15))
            print("%d,n%d,%d,%d,%.1f,%d,97,%d" % (1700000000 + t, h, g, clock, 640 + r.gauss(0, 9), 60 + 18 * (h == 1), 41 + (t > 60 and h == 0)))
PY
gpustat stragglers log.csv --all -q -f csv | cut -d, -f1,3,21,22
cut -d, -f1-7 log.csv > none.csv
for c in power check timeline; do
    for f in log none; do cp $f.csv one.csv; gpustat $c one.csv -q -f csv > $f.out; done
    cmp log.out none.out && echo "$c: same"
done
