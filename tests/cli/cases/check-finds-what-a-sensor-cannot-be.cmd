# Five hosts: h1 reads 0 W at work, h2 99,999 W once and has the UUID of h0, h3 never changes, h4 is an hour late. One
# task has no length, two lie in each other.
mkdir d
awk 'BEGIN {
    print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
    for (h = 0; h < 5; h++)
        for (t = 0; t < 100; t++) {
            p = 300 + t * 7 % 11 + (t * 13 % 7) / 10
            p = h == 1 ? 0 : h == 3 ? 250 : h == 2 && t == 50 ? 99999 : p
            s = 7 * 3600 + 2 * t + (h == 4 ? 3600 : 0)
            printf "2018-11-08 %02d:%02d:%02d,h%d,03%d,GPU-0%d,%.2f,%d,%d,10\n", s / 3600, s / 60 % 60, s % 60, h, h,
                h == 2 ? 0 : h, p, 50 + t % 9, 80 + t % 10
        }
}' >d/gpu.csv
awk 'BEGIN {
    print "timestamp,hostname,eventName,eventType,jobId,taskId"
    for (h = 0; h < 4; h++)
        for (k = 0; k < 8; k++) {
            a = 7 * 3600 + 20 * k - (h == 1 && k == 4 ? 10 : 0)
            b = 7 * 3600 + 20 * k + (h == 0 && k == 3 ? 0 : 18)
            for (w = 0; w < 2; w++) {
                s = w ? b : a
                printf "2018-11-08 %02d:%02d:%02d,h%d,TotalRender,%s,j,t%d-%d\n", s / 3600, s / 60 % 60, s % 60, h,
                    w ? "STOP" : "START", h, k
            }
        }
}' >d/application-checkpoints.csv
gpustat check d -q -f csv
echo "exit $?"
gpustat check d --shard 1/2 --partial a -q && gpustat check d --shard 2/2 --partial b -q && gpustat merge a b -q -f csv | cut -d , -f 1-4
# An hour is less than a twentieth of a day, but the other hosts agree to the second.
mkdir day
awk 'BEGIN {
    print "timestamp,hostname,gpu,power_w"
    for (h = 0; h < 5; h++)
        for (t = 0; t < 288; t++)
            print 1700000000 + h + 300 * t + (h == 2 ? 3600 : 0) ",h" h ",0," 300 + t * 7 % 11
}' >day/gpu.csv
gpustat check day -q -f csv | cut -d , -f 1-4
