mkdir d
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:20,a,TotalRender,START,j,t
2018-11-08 07:00:10,a,TotalRender,STOP,j,t
2018-11-08 07:00:11,a,Render,START,j,t
2018-11-08 07:00:12,b,Render,STOP,j,t
2018-11-08 07:00:12,b,Render,STOP,j,t
CSV
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:05,a,0321,GPU-1,-1,40,5,6
2018-11-08 07:00:15,a,0322,GPU-2,30,40,105,6
2018-11-08 07:00:17,a,0322,GPU-2,30,,5,6
CSV
cat > d/task-x-y.csv <<'CSV'
taskId,jobId,x,y,level
t,j,0,0,8
u,j,1,1,8
t,j,1,1,8
CSV
gpustat check d
