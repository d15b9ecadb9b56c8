# Two lists of steps in one folder: called alike but for digits they are parts of one, else each is an event of its own.
mkdir ranks things
for i in 0 1; do printf 'step,time_s\n0,2.5\n1,2.4\n2,2.6\n3,2.5\n' > ranks/steps-rank$i.csv; done
printf 'step,timestamp,duration_s\n0,2025-11-21T04:40:04Z,4\n1,2025-11-21T04:40:08Z,4\n2,2025-11-21T04:40:12Z,4\n' > things/train.csv
printf 'step,timestamp,duration_s\n0,2025-11-21T04:41:02Z,2\n1,2025-11-21T04:41:04Z,2\n2,2025-11-21T04:41:06Z,2\n' > things/eval.csv
for d in ranks things; do gpustat map $d | grep '"event"'; done
gpustat events things -f csv -q | cut -d, -f1-3
gpustat diff things things -f csv -q | cut -d, -f1-3
gpustat report things -o page -q -f csv > report.csv && grep -c eval page/events.csv
