# 40 tasks of 54 ms, one every 104 ms, under a sensor that reads every 100 ms: of the last 25 ms (part) it sees only
# part of them, of the last 100 ms (whole) it sees all.
awk 'BEGIN {
    print "timestamp,hostname,eventName,eventType,jobId,taskId" > "application-checkpoints.csv"
    print "taskId,jobId,x,y,level" > "task-x-y.csv"
    for (i = 0; i < 40; i++) {
        a = 1600000003 + i * 0.104
        printf "%.3f,h,Work,START,j,t%d\n%.3f,h,Work,STOP,j,t%d\n", a, i, a + 0.054, i > "application-checkpoints.csv"
        printf "t%d,j,%d,0,4\n", i, i > "task-x-y.csv"
    }
}'
readings() {
    awk -v window="$1" 'function on(t,  k, r) { # ms that the load was on up to t
        t -= 3000; if (t <= 0) return 0
        k = int(t / 104); if (k >= 40) return 40 * 54
        r = t - k * 104; return k * 54 + (r < 54 ? r : 54) }
    BEGIN { print "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc"
        for (t = 0; t < 10000; t += 10) { if (t % 100 == 0) w = 60 + 240 * (on(t) - on(t - window)) / window + t / 1e6
            printf "%.2f,h,1,G,%.4f,40,50,50\n", 1600000000 + t / 1000, w } }' > gpu.csv
}
for window in 25 100; do
    readings $window
    echo "== window $window ms"
    for c in 'events --join window' 'join' 'balance' 'tiles --value energy'; do
        gpustat $c . -f csv 2> said |
            awk -F, -v c="$c" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy_low_j") at = i; next }
                { n++; none += $at == "" } END { print c ": " none " of " n " rows without an interval" }'
        grep 'no energy interval' said
    done
done
# Of bursts that are seen whole the parts are not known by themselves, but their sum is: 40 x 54 ms x 300 W.
gpustat events . -q -f csv | cut -d, -f 1,2,14-
gpustat balance . -q -f csv | cut -d, -f 1,2,4,10-
