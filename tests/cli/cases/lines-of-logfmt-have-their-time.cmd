# ts= or time= in front of a line of logfmt is its time, in quotes or not; what counts from 0 stays a column.
line() { printf "$1"' level=info msg="gpu sample" gpu=%d power_w=%d temp=40\n' "$2" "$3" "$4"; }
for s in 0 1 2; do line 'ts=2026-04-20T10:20:0%d.5Z' $s 0 100; line 'ts=2026-04-20T10:20:0%d.5Z' $s 1 200; done > ts.log
for s in 0 1 2; do line 'time="2026-04-20T10:20:0%d.5Z"' $s 0 100; line 'time="2026-04-20T10:20:0%d.5Z"' $s 1 200; done > time.log
for s in 0 1 2; do line 't=%d.5' $s 0 100; done > t.log
for f in ts.log time.log t.log; do gpustat power $f -q -f csv --show gpu,rows,power_mean_w,energy_trapezoid_j; done
gpustat map ts.log -q | grep -o '"from".*Z"'
# A message of two words is one value: steps of 2 s.
for s in 2 4 6; do printf 'time=2026-04-20T10:20:0%d.0Z level=info msg="train step" step=%d loss=2.0 duration=2.000s\n' $s $s; done > train.log
gpustat events ts.log --events train.log -q -f csv --show event,n,duration_mean_ms
