# Readings of 0 W: the sum of two events has an interval, and so has their mean, half as wide.
{ echo timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
  for s in 0 1 2 3 4 5 6 7 8 9; do echo "2024-01-01T00:00:0$s.000Z,h,1,G,0,30,0,0"; done; } > gpu.csv
{ echo timestamp,hostname,eventName,eventType,jobId,taskId
  echo 2024-01-01T00:00:02.000Z,h,A,START,j,t; echo 2024-01-01T00:00:04.000Z,h,A,STOP,j,t
  echo 2024-01-01T00:00:05.000Z,h,A,START,j,u; echo 2024-01-01T00:00:07.000Z,h,A,STOP,j,u; } > application-checkpoints.csv
unset GPUSTAT_SHOW
gpustat events . --join window -q
