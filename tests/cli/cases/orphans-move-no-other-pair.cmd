mkdir d
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:00,a,stray STOP,STOP,j,t
2018-11-08 07:00:10,a,stray STOP,START,j,t
2018-11-08 07:00:12,a,stray STOP,STOP,j,t
2018-11-08 07:00:20,a,stray STOP,START,j,t
2018-11-08 07:00:22,a,stray STOP,STOP,j,t
2018-11-08 07:00:00,a,crashed try,START,j,t
2018-11-08 07:00:20,a,crashed try,START,j,t
2018-11-08 07:00:25,a,crashed try,STOP,j,t
2018-11-08 07:00:00,a,doubled START,START,j,t
2018-11-08 07:00:00,a,doubled START,START,j,t
2018-11-08 07:00:05,a,doubled START,STOP,j,t
2018-11-08 07:00:20,a,doubled START,START,j,t
2018-11-08 07:00:25,a,doubled START,STOP,j,t
2018-11-08 07:00:00,a,nested,START,j,t
2018-11-08 07:00:02,a,nested,START,j,t
2018-11-08 07:00:04,a,nested,STOP,j,t
2018-11-08 07:00:10,a,nested,STOP,j,t
2018-11-08 07:00:00,a,touching,START,j,t
2018-11-08 07:00:05,a,touching,STOP,j,t
2018-11-08 07:00:05,a,touching,START,j,t
2018-11-08 07:00:09,a,touching,STOP,j,t
2018-11-08 07:00:07,a,of no length,START,j,t
2018-11-08 07:00:07,a,of no length,STOP,j,t
CSV
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,a,0321,GPU-1,50,40,5,6
CSV
gpustat join d -q -f csv | cut -d , -f 8,11-13 | sort
