# People read a last row of all; its interval is the fleet's, and programs get the rows alone. Cost stands beside its energy.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
{ echo timestamp,hostname,gpu_index,power_w,gpu_util_pct
  for t in 0 1 2 3 4 5 6 7 8 9; do for g in 0 1; do echo "2024-05-01T12:0$t:00Z,n1,$g,$((t < 2 || g == 1 ? 60 : 300)),$((t < 2 || g == 1 ? 0 : 95))"; done; done; } > gpu.csv
{ echo 'JobIDRaw|User|State|JobName|Start|End|NodeList|AllocTRES'
  echo '1|ann|COMPLETED|train|2024-05-01T12:01:00|2024-05-01T12:08:00|n1|gres/gpu=1'
  echo '2|bob|FAILED|eval|2024-05-01T12:02:00|2024-05-01T12:05:00|n1|gres/gpu=1'; } > sacct.txt
gpustat jobs gpu.csv sacct.txt --price 0.30EUR/kWh
gpustat jobs gpu.csv sacct.txt -q --price 0.30EUR/kWh --width 60
gpustat balance gpu.csv sacct.txt -q --show state,part,energy | tail -n 1
gpustat jobs gpu.csv sacct.txt -q --by user -f csv --show user,energy_j
for more in '-n 9' '--sort user' "--filter user=ann" '--fail-if energy_j<0'; do
    gpustat jobs gpu.csv sacct.txt -q --by user $more | grep -c total
done
# A number that is asked for has its interval beside it, unless an end of that is asked for too.
gpustat jobs gpu.csv sacct.txt -q --by user --show user,energy_j,energy_low_j
gpustat jobs gpu.csv sacct.txt -q --by user --show user,energy_j --price 0.30EUR/kWh
gpustat gpus gpu.csv -q --show energy_j,power_mean_w
# Where jobs run at once, what nobody held is uncertain as the rest.
printf 'name,gpu,job,start,stop\nx,0,a,2024-05-01T12:01:00Z,2024-05-01T12:05:00Z\nx,0,b,2024-05-01T12:02:00Z,2024-05-01T12:06:00Z\n' > two.csv
gpustat jobs gpu.csv --events two.csv -q --show job,energy_j
# What no row knows has no sum.
cut -d , -f 1-4 gpu.csv > power.csv
gpustat jobs power.csv sacct.txt -q --show user,energy_j,wasted_gpu_h,unused_gpu_h
gpustat jobs gpu.csv sacct.txt -q --show job,gpus,gpu_h
gpustat jobs gpu.csv sacct.txt -q --by user --show user,gpus,gpu_h
