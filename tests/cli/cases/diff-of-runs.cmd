# Three and three runs whose spread is known; the unit is the run, and one against three asks whether it is a fourth.
for k in 1 2 3 4 5 6 7; do
    mkdir r$k
    awk -v k=$k 'BEGIN {
        print "event,host,start,stop"
        for (i = 0; i < 20; i++)
            printf "step,n1,%d,%.3f\n", 1700000000 + 20 * i, 1700000000 + 20 * i + 10 + k % 4 / 50 + (k > 3 ? 1 : 0) + i % 3 / 100
    }' > r$k/events.csv
done
gpustat diff --base r1 --base r2 --base r3 r4 r5 r6 -q --format csv
gpustat diff --base r1 --base r2 --base r3 r7 -q --format csv
gpustat diff --base r1 --base r2 r7 -q --format csv
gpustat diff r1
gpustat diff r1 r2 r3
gpustat diff r1 r2 --fail-if 'duration>5'
gpustat diff r1 r2 -q --fail-if 'energy>+5%' > /dev/null
gpustat diff r1 r2 --measure duration,,energy
