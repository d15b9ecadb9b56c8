# A log every 10 ms of a sensor that renews every 100 ms: what it lags is taken out, and that is said.
mkdir d
awk 'BEGIN {
    print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
    for (i = 0; i <= 800; i++) {
        r = int(i / 10) / 10                      # the last renewal; it reads the mean of the 100 ms before
        on = r <= 3 ? 0 : r > 5.05 ? 0 : 1
        printf "%.2f,a,1,g1,%.2f,40,5,6\n", 1600000000 + i * 0.01, 60 + 240 * on + int(i / 10) % 11 * 0.02
    }
}' > d/gpu.csv
printf '%s\n' timestamp,hostname,eventName,eventType,jobId,taskId 1600000003,a,work,START,j,t 1600000005,a,work,STOP,j,t \
    > d/application-checkpoints.csv
gpustat events d --join window -f csv | cut -d , -f 1,15,17-
