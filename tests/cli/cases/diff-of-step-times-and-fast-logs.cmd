# 60 steps of 4 s without start times in a log that is idle for 4 % of its time: in B steps take 10 % longer at 25 % less power.
for run in a b; do
    mkdir $run
    awk -v run=$run -v b=$([ $run = b ] && echo 1 || echo 0) 'BEGIN {
        length_s = b ? 4.4 : 4
        print "step,time_s,loss" > run "/steps.csv"
        print "timestamp, index, utilization.gpu [%], power.draw [W]" > run "/smi.csv"
        for (k = 0; k < 60; k++)
            printf "%d,%.3f,%.2f\n", k, length_s + (k * 7 + 3) % 5 / 100 - 0.02, 3 - k / 100 > run "/steps.csv"
        for (t = 0; t < 60 * length_s + 10; t++)
            for (g = 0; g < 2; g++) {
                load = t >= 5 && t < 60 * length_s + 5
                printf "2025/11/21 10:%02d:%02d.000, %d, %d %%, %d W\n", t / 60, t % 60, g, load ? 98 : 0, load ? (b ? 300 : 400) + (t * 7 + g) % 5 : 60 > run "/smi.csv"
            }
    }'
done
gpustat diff a b -q --tz UTC -f csv | cut -d , -f 1,2,8,9,10,16
# Ten readings a second, of a sensor that lags: the whole log has its power too.
for run in a b; do
    awk -v b=$([ $run = b ] && echo 1 || echo 0) 'BEGIN {
        print "timestamp, index, power.draw [W]"
        for (t = 0; t < 1800; t++)
            for (g = 0; g < 4; g++)
                printf "2025/11/21 04:%02d:%02d.%d00, %d, %.2f W\n", t / 600, int(t / 10) % 60, t % 10, g, (t >= 300 && t < 1500 ? (b ? 400 : 500) : 60) + (t * 7 + g * 3) % 11
    }' > fast-$run.csv
done
gpustat diff fast-a.csv fast-b.csv -q --tz UTC --sensor window=1000ms,delay=500ms -f csv | cut -d , -f 1,2,8,9,10,16
gpustat help diff | grep -c -e '--fail-if CONDITION'
