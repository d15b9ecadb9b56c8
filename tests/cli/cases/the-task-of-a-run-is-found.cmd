mkdir d
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,a,1,g,100,40,5,6
2018-11-08 07:00:10,a,1,g,100,40,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:00,a,epoch,START,j,1
2018-11-08 07:00:01,a,batch,START,j,1
2018-11-08 07:00:04,a,batch,STOP,j,1
2018-11-08 07:00:01,a,batch,START,j,2
2018-11-08 07:00:04,a,batch,STOP,j,2
2018-11-08 07:00:05,a,epoch,STOP,j,1
2018-11-08 07:00:06,a,save,START,j,1
2018-11-08 07:00:09,a,save,STOP,j,1
CSV
gpustat gpus d -f csv | cut -d , -f 1,9
gpustat schedule d --by host -q -f csv | cut -d , -f 1,4
gpustat schedule d --by host --event batch -f csv | cut -d , -f 1,4
gpustat gpus d --event TotalRende
