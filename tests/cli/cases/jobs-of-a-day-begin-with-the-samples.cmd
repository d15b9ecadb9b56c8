# A job from 18:00 of the day before, samples from midnight of the zone on: its energy is of the days that have samples, 8,640,000 J
# of 100 W each, less what the sensor lags and what the last sample stops short of midnight.
{ echo time,host,gpu,power_w; for i in $(seq 0 600 172799); do echo "$((1714514400 + i)),n1,0,100"; done; } > gpu.csv
{ echo 'JobIDRaw|User|State|JobName|Start|End|NodeList|AllocTRES'
  echo '1|ann|COMPLETED|train|2024-04-30T18:00:00|2024-05-03T08:00:00|n1|gres/gpu=1'; } > sacct.txt
gpustat jobs gpu.csv sacct.txt -q --by day --tz Europe/Berlin -f csv --show day,jobs,gpu_h,energy_j
gpustat jobs gpu.csv sacct.txt -q --by user --tz Europe/Berlin --from 2024-05-01 --to 2024-05-02 -f csv --show user,energy_j
