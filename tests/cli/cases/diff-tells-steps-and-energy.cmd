# 12 tasks on 4 GPUs: in B each takes 10 % longer at 100 W less.
for run in a b; do
    mkdir $run
    awk -v b=$([ $run = b ] && echo 1 || echo 0) 'BEGIN {
        print "event,host,gpu,task,start,stop" > (b ? "b" : "a") "/events.csv"
        print "time,host,gpu,power_w" > (b ? "b" : "a") "/gpu-log.csv"
        for (g = 0; g < 4; g++)
            for (k = 0; k < 30; k++) {
                s = 1700000000 + 20 * k
                printf "step,n1,%d,%d,%d,%.3f\n", g, g * 30 + k, s, s + 10 * (b ? 1.1 : 1) + (g * 7 + k * 13) % 10 / 100 > (b ? "b" : "a") "/events.csv"
            }
        for (t = 0; t <= 620; t++)
            for (g = 0; g < 4; g++)
                printf "%d,n1,%d,%.1f\n", 1699999995 + t, g, (b ? 200 : 300) + (t * 7 + g) % 5 > (b ? "b" : "a") "/gpu-log.csv"
    }'
done
gpustat diff a b -q --tz UTC
gpustat diff a b -q --tz UTC --format csv --measure duration,energy,power,throughput --fail-if 'duration>+5%' > fails.csv; echo "status $?"
gpustat diff a b -q --tz UTC --format csv --fail-if 'duration>+15%' --unsure fail > holds.csv; echo "status $?"
cut -d , -f 1,2,5-7,10-12,15,16 fails.csv
# One GPU of four takes 30 % longer: with the same tasks on both sides, it is named.
mkdir c
awk -F , -v OFS=, '$3 == 2 { $6 = sprintf("%.3f", $5 + 1.3 * ($6 - $5)) } 1' a/events.csv > c/events.csv
cp a/gpu-log.csv c
gpustat diff a c -q --tz UTC | head -n 1
