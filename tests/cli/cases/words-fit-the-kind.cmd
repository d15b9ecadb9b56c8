# What a person reads of a log, of steps and of jobs has the words of its trade; programs read the same columns as ever.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
mkdir log steps jobs
{ echo timestamp,hostname,gpu_index,power_w,gpu_util_pct
  for t in 00 10 20 30 40 50; do for g in 0 1; do echo "2024-05-01T12:00:${t}Z,n1,$g,$((t == 0 ? 60 : 300)),$((t == 0 ? 0 : 95))"; done; done; } > log/gpu.csv
cp log/gpu.csv steps/
cp log/gpu.csv jobs/
{ echo step,timestamp,step_time; for t in 20 25 30 35 40 45; do echo "$t,2024-05-01T12:00:${t}Z,5"; done; } > steps/steps.csv
{ echo 'JobIDRaw|User|State|JobName|Start|End|NodeList|AllocTRES'
  echo '1|ann|COMPLETED|train|2024-05-01T12:00:10|2024-05-01T12:00:40|n1|gres/gpu=1'
  echo '2|bob|FAILED|eval|2024-05-01T12:00:20|2024-05-01T12:00:50|n1|gres/gpu=1'; } > jobs/sacct.txt
for run in log steps jobs; do
    echo "-- $run"
    gpustat summary $run
    gpustat check $run --show severity,finding,count; echo "check exits $?"
    gpustat balance $run --show state,part,energy
done 2> /dev/null
gpustat balance jobs -q --show state,part,energy_j -f csv
echo '-- clusters of jobs'
gpustat clusters jobs -v 2>&1
echo '-- steps are not jobs'
gpustat jobs steps 2>&1
echo '-- jobs are not a schedule of tasks'
gpustat schedule jobs -q -f csv
