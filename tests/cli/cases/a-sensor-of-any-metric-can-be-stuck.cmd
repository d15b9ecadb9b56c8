# 60 samples of a GPU that worked in turns: the memory's temperature never moved, the fan rests where it may.
mkdir run
awk 'BEGIN { print "timestamp,hostname,gpuUUID,power.draw [W],temperature.gpu,utilization.gpu [%],temperature.memory,fan.speed [%],power.draw.instant [W]"
    for (i = 0; i < 60; i++) printf "%d,a,G1,%d.%02d,%d,%d,50,30,120\n", 1704067200 + i, 100 + 200 * (int(i / 10) % 2), i, 40 + i / 3, 100 * (int(i / 10) % 2)
}' > run/gpu.csv
printf 'timestamp,hostname,eventName,eventType,jobId,taskId\n1704067200,a,E,START,j,t\n1704067259,a,E,STOP,j,t\n' > run/application-checkpoints.csv
gpustat check run -q --format csv | grep stuck
