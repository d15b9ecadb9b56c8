# Two hosts sampled every 11.6 and 39 ms, and one logged every 7 ms, with a pause of 60 ms each second, whose sensor
# renews every 100 ms: all of each event is covered.
mkdir d
awk 'BEGIN {
    print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
    for (i = 0; i <= 1000; i++) printf "%.4f,fast,1,g1,%d,40,5,6\n", 1600000000 + i * 0.0116, 100 + i % 7
    for (i = 0; i <= 300; i++) printf "%.4f,slow,2,g2,%d,40,5,6\n", 1600000000 + i * 0.039, 100 + i % 7
    for (i = 0; i <= 1600; i++)
        if (i % 143 >= 8 || i == 0) printf "%.4f,rests,3,g3,%d,40,5,6\n", 1600000000 + i * 0.007, 100 + int(i * 0.07) % 7
}' > d/gpu.csv
{
    echo timestamp,hostname,eventName,eventType,jobId,taskId
    for host in fast slow rests; do
        echo "1600000001.5,$host,$host,START,j,t"
        echo "1600000010.5,$host,$host,STOP,j,t"
    done
} > d/application-checkpoints.csv
gpustat events d --join window -q -f csv | cut -d , -f 1,17
gpustat events d --join window --max-gap 20ms -q -f csv | cut -d , -f 1,17
