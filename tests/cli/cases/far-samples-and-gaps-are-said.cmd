mkdir d
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,a,1,g,100,40,5,6
2018-11-08 07:00:01,a,1,g,100,40,5,6
2018-11-08 07:00:02,a,1,g,100,40,5,6
2018-11-08 07:00:03,a,1,g,200,40,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:00,a,E,START,j,t
2018-11-08 07:00:03,a,E,STOP,j,t
2018-11-08 07:00:01,a,F,START,j,t
2018-11-08 07:00:06,a,F,STOP,j,t
2018-11-08 16:00:00,a,F,START,j,u
2018-11-08 16:00:01,a,F,STOP,j,u
CSV
gpustat events d -f csv | cut -d , -f 1,2,10,14-
gpustat join d -f csv --tolerance 10s | cut -d , -f 4,8,10,14-
grep START d/application-checkpoints.csv > d/open
{ head -n 1 d/application-checkpoints.csv; cat d/open; } > d/marks && mv d/marks d/application-checkpoints.csv
gpustat events d --join window -f csv | cut -d , -f 1,2
