# Whatever the number of threads, the error is that of the first host in the order of names.
mkdir far
{ echo timestamp,hostname,eventName,eventType,jobId,taskId
  for h in $(seq 10 69); do echo "2024-01-01T00:00:00Z,h$h,R,START,j,t$h"; echo "2024-01-01T00:00:01Z,h$h,R,STOP,j,t$h"; done
} > far/application-checkpoints.csv
{ echo timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
  for h in $(seq 69 -1 10); do
      echo "2001-01-01T00:00:00Z,h$h,01,G,1,1,1,1"
      echo "2099-01-01T00:00:00Z,h$h,01,G,$((h > 40 ? 9000000000000 - h : 1)),1,1,1"
  done
  seq 2001 1 2098 | while read -r year; do for month in 01 02 03 04 05 06 07 08 09 10 11 12; do echo "$year-$month-02T00:00:00Z,h41,01,G,1,1,1,1"; done; done
} > far/gpu.csv
for j in 1 2 3 7; do
    for again in 1 2 3 4 5; do
        gpustat balance far -j $j -q 2>&1
        gpustat events far --join window -j $j -q 2>&1
    done
done | sort | uniq -c
