mkdir d
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,a,0321,GPU-1,100,40,5,6
2018-11-08 07:00:00,a,0321,GPU-1,200,[N/A],6,6
2018-11-08 07:00:00,a,0321,GPU-1,200.00001,41,6,[N/A]
2018-11-08 07:00:04,a,0321,GPU-1,100,40,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:00,a,E,START,j,t
2018-11-08 07:00:00,a,E,STOP,j,t
2018-11-08 07:00:00,a,F,START,j,t
2018-11-08 07:00:04,a,F,STOP,j,t
CSV
gpustat join d -q -f csv | cut -d , -f 4-8
gpustat join d -q -f csv --join window | cut -d , -f 4-8,14-
tail -n +2 d/gpu.csv | tac >> d/again
{ head -n 1 d/gpu.csv; cat d/again; } > d/other && mv d/other d/gpu.csv
gpustat join d -q -f csv | cut -d , -f 4-8
gpustat check d -f csv | grep several
