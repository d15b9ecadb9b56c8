# Runs of each kind, told by how their events repeat; which sections the page has follows from it.
kind() { rm -rf r; gpustat report "$@" -o r -q > /dev/null 2>&1 || return 1; grep -o 'Read as.*' r/report.md; grep -c '^## ' r/report.md; }
smi() { awk -v n="$1" 'BEGIN { srand(1); print "timestamp,hostname,power_w,utilization"; for (i = 0; i < n; i++) for (h = 0; h < 4; h++)
    printf "2025-11-21T10:%02d:%02dZ,n%d,%d,%d\n", i / 60, i % 60, h, 200 + (i * 7 + h) % 50, 90 }' > samples.csv; }
smi 300
span() { printf '%s,n%d,2025-11-21T10:%02d:%02d.%03dZ,2025-11-21T10:%02d:%02d.%03dZ%s\n' "$1" "$2" $(($3 / 60000)) $(($3 / 1000 % 60)) $(($3 % 1000)) $(($4 / 60000)) $(($4 / 1000 % 60)) $(($4 % 1000)) "${5-}"; }

echo log; kind --samples samples.csv
echo 'steps: on all hosts at once'
{ echo event,host,start,stop; for i in $(seq 0 19); do for h in 0 1 2 3; do span train_step $h $((i * 10000)) $((i * 10000 + 9500 + i % 3 * 100)); done; done; } > events.csv
kind --samples samples.csv --events events.csv
kind --samples samples.csv --events events.csv --kind phases
echo 'farm: each host takes the next task when it is free'
{ echo event,host,start,stop,task; for i in $(seq 0 19); do for h in 0 1 2 3; do span render $h $((h * 2700 + i * 11000)) $((h * 2700 + i * 11000 + 10000 + i % 3 * 300)) ,t$i-$h; done; done; } > events.csv
kind --samples samples.csv --events events.csv
echo 'phases: none repeats'
{ echo event,host,start,stop; span load 0 0 20000; span train 0 20000 200000; span save 0 200000 210000; } > events.csv
kind --samples samples.csv --events events.csv
echo 'jobs: a scheduler gave them a user and a state'
{ echo event,host,start,stop,user,state; for i in $(seq 0 9); do span job$((i % 3)) $((i % 4)) $((i * 20000)) $((i * 20000 + 15000)) ,u$((i % 2)),COMPLETED; done; } > events.csv
kind --samples samples.csv --events events.csv --set events.attributes.user=user --set events.attributes.state=state
echo 'trace: many short calls of several names'
{ echo event,host,start,stop; for i in $(seq 0 199); do span k$((i % 7)) 0 $((i * 5)) $((i * 5 + 2)); done; } > events.csv
kind --samples samples.csv --events events.csv
