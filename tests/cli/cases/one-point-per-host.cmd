# Four hosts of 8 GPUs and tasks that name none: 4 points, not 32. The last host is slow.
mkdir d
awk 'BEGIN {
    print "timestamp,hostname,eventName,eventType,jobId,taskId" > "d/application-checkpoints.csv"
    print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc" > "d/gpu.csv"
    for (h = 0; h < 4; h++)
        for (k = 0; k < 20; k++) {
            t = 1541600000 + 100 * k
            d = (40 + (h * 5 + k * 7) % 11 / 10) * (h == 3 ? 1.5 : 1)
            printf "%.3f,h%d,TotalRender,START,j,t%d_%d\n", t, h, h, k > "d/application-checkpoints.csv"
            printf "%.3f,h%d,TotalRender,STOP,j,t%d_%d\n", t + d, h, h, k > "d/application-checkpoints.csv"
            for (g = 0; g < 8; g++)
                for (s = 0; s < 60; s += 20)
                    printf "%d,h%d,%d%d,U%d%d,%d,%d,%d,%d\n", t + s, h, h, g, h, g, 90 + h * h + g, 60, 60 + (h * 5 + s + k + g) % 13, 30 + (g * 3 + k) % 11 > "d/gpu.csv"
        }
}'
gpustat correlate d -f csv
gpustat clusters d --by gpu -q -f csv
gpustat stragglers d -f csv
gpustat gpus d -q -f csv --top 2
