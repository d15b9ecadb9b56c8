# 16 equal GPUs of which h07 takes 30 % longer and h03 runs at 80 degrees; then all equal; then 2 % longer.
fleet()
{
    awk -v slow="$1" 'BEGIN {
        print "timestamp,hostname,eventName,eventType,jobId,taskId" > "d/application-checkpoints.csv"
        print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc" > "d/gpu.csv"
        for (g = 0; g < 16; g++) {
            h = sprintf("h%02d", g); t = 1541600000
            for (k = 0; k < 20; k++) {
                d = (40 + (g * 7 + k * 11) % 23 / 10) * (g == 7 ? slow : 1)
                printf "%.3f,%s,TotalRender,START,j,t%d_%d\n", t, h, g, k > "d/application-checkpoints.csv"
                printf "%.3f,%s,TotalRender,STOP,j,t%d_%d\n", t + d, h, g, k > "d/application-checkpoints.csv"
                for (s = 0; s < 40; s += 4)
                    printf "%.3f,%s,0%d,U%d,%d,%d,%d,%d\n", t + s, h, g, g, 90, g == 3 ? 80 : 60, 60 + (g * 5 + s + k) % 13, 30 + (g * 3 + k) % 11 > "d/gpu.csv"
                t += d + 1
            }
        }
    }'
}
mkdir d
fleet 1.3
gpustat stragglers d -f csv
gpustat stragglers d --hot 80.5 --least 40% | cut -c 1-60
fleet 1
gpustat stragglers d --hot 81 | cut -c 1-60
gpustat clusters d -f csv
fleet 1.02
gpustat stragglers d --hot 81 -q | cut -c 1-60
