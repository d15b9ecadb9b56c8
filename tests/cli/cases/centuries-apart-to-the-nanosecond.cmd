# Times so far apart that they need 64 bits are in order all the same.
mkdir far
{ echo timestamp,hostname,eventName,eventType,jobId,taskId
  echo 2000-01-01T00:00:01.000000001Z,h,R,START,j,t
  echo 2000-01-01T00:00:02.000000001Z,h,R,STOP,j,t
  echo 2099-01-01T00:00:01.000000003Z,h,R,START,j,t
  echo 2099-01-01T00:00:05.000000004Z,h,R,STOP,j,t
  echo 2099-01-01T00:00:05.000000004Z,h,R,START,j,t
  echo 2099-01-01T00:00:05.000000004Z,h,R,STOP,j,t
  echo 2050-01-01T00:00:01.000000003Z,h,R,START,j,t
  echo 2050-01-01T00:00:08.000000004Z,h,R,STOP,j,t; } > far/application-checkpoints.csv
{ echo timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
  echo 2099-01-01T00:00:02.500000001Z,h,1,G,12,1,1,1
  echo 2000-01-01T00:00:01.500000001Z,h,1,G,10,1,1,1
  echo 2050-01-01T00:00:01.500000001Z,h,1,G,11,1,1,1; } > far/gpu.csv
gpustat join far -f csv | cut -d , -f 4,11-13
gpustat events far --join window -f csv -q | cut -d , -f 1,2,14
gpustat check far -f csv -q
