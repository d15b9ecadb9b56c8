mkdir d one
cat > d/gpu.csv <<'CSV'
timestamp,hostname,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,b,100,30,5,6
2018-11-08 07:00:00,b,100,30,5,6
2018-11-08 07:00:00,a,300,40,5,6
2018-11-08 07:00:09,a,300,40,5,6
2018-11-08 07:00:00,a,100,30,5,6
2018-11-08 07:00:09,a,100,30,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-11-08 07:00:01,a,E,START,j,t
2018-11-08 07:00:02,a,E,STOP,j,t
CSV
grep -v a,100 d/gpu.csv > one/gpu.csv
cp d/application-checkpoints.csv one
gpustat gpus one --event E -q -f csv # equal rows are one row twice
gpustat gpus d --event E
