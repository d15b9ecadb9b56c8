mkdir far && cp data/application-checkpoints.csv far
{ echo timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
  echo 2001-01-01T00:00:00Z,38137ad456640c2f515ad2ccac685363000000,01,G,1,1,1,1
  echo 2099-01-01T00:00:00Z,38137ad456640c2f515ad2ccac685363000000,01,G,9000000000000,1,1,1; } > far/gpu.csv
gpustat balance far
echo $?
gpustat events far --join window --top 1
echo $?
gpustat timeline far --every 365d -q
