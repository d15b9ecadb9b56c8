mkdir d
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-11-08 07:00:00,a,[N/A],u0,300,40,5,6
2018-11-08 07:00:09,a,[N/A],u0,300,40,5,6
2018-11-08 07:00:00,a,0322,u1,100,30,5,6
2018-11-08 07:00:09,a,0322,u1,100,30,5,6
CSV
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId,gpuIndex
2018-11-08 07:00:01,a,by UUID,START,j,t,u1
2018-11-08 07:00:02,a,by UUID,STOP,j,t,u1
2018-11-08 07:00:01,a,by serial,START,j,t,0322
2018-11-08 07:00:02,a,by serial,STOP,j,t,0322
2018-11-08 07:00:01,a,by order,START,j,t,1
2018-11-08 07:00:02,a,by order,STOP,j,t,1
2018-11-08 07:00:01,a,another card,START,j,t,0
2018-11-08 07:00:02,a,another card,STOP,j,t,0
2018-11-08 07:00:01,a,no value,START,j,t,[N/A]
2018-11-08 07:00:02,a,no value,STOP,j,t,[N/A]
CSV
gpustat events d -f csv | cut -d , -f 1,2,10,11
gpustat events d --join window -q -f csv | cut -d , -f 1,2,10,15-17
sed -i 's/,u1$/,u7/; s/,0322$/,7/' d/application-checkpoints.csv
gpustat events d
