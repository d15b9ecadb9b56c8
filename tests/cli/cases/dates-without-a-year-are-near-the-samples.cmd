# One GPU, 300 W from 23:59:00 of 2024-12-31 to 00:01:00, else 60 W. Twelve steps of 10 s are 36 kJ (10 Wh); syslog and
# glog leave out the year.
awk 'BEGIN { print "timestamp,power.draw [W],utilization.gpu [%]"; for (i = 0; i < 300; i++) { on = i >= 60 && i < 180; printf "%d,%d W,%d\n", 1735689480 + i, on ? 300 : 60, on ? 99 : 0 } }' > gpu.csv
log() { for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf "$(LC_ALL=C TZ=UTC date -d @$((1735689540 + 10 * i)) "+$1")$2\n" $i; done; }
log '%b %d %H:%M:%S' ' gpu01 train[412]: step %d loss 2.1 took 10.0s' > syslog.log
log 'I%m%d %H:%M:%S' '.000000 139 trainer.py:120] step %d: loss=2.1, time=10.0' > glog.log
for f in syslog glog; do
    gpustat gpu.csv $f.log --tz UTC | grep Read
    gpustat events gpu.csv --events $f.log --tz UTC --format csv --show event,n,duration_mean_ms,energy_sum_j 2> /dev/null
done
gpustat events syslog.log --set events.origin=2024-12-31T00:00:00Z --format csv --show event,n,duration_mean_ms 2> /dev/null

# LSF: the letter behind an end is how it was found. Of ann 2 GPUs x 60 s, of bob 1 x 60.
cat > bjobs.txt <<'END2'
JOBID|USER|STAT|QUEUE|EXEC_HOST|GPU_NUM|START_TIME|FINISH_TIME
7|ann|DONE|gpu|a|2|Dec 31 23:59|Jan  1 00:00 L
8|bob|DONE|gpu|a|1|Jan  1 00:00|Jan  1 00:01 L
END2
sed '1s/$/,hostname,uuid/; 1!s/$/,a,G0/; p; 1d; s/G0$/G1/' gpu.csv > two.csv
gpustat jobs two.csv --events bjobs.txt --tz UTC --by user --format csv --show user,gpu_h 2> /dev/null

# Samples have nothing to be near: it is asked for.
sed '1!s/^[0-9]*/Dec 31 23:59:00/' gpu.csv | head -n 3 > undated.csv
gpustat power undated.csv 2>&1 | grep -v note
