# Three long steps of sixty do not move the typical step; the first sentence says what they cost in all, and total_ gates it.
for r in a b; do
    mkdir $r
    awk -v r=$r 'BEGIN { print "event,host,start,stop"; t = 1772614800; for (i = 0; i < 60; i++) { d = r == "b" && i % 20 == 10 ? 9 : 1 + (i % 3) / 100; printf "step,n0,%.2f,%.2f\n", t, t + d; t += d } }' > $r/events.csv
    awk 'BEGIN { print "timestamp,hostname,gpu,power_w"; for (i = 0; i < 120; i++) printf "%d,n0,0,%d\n", 1772614798 + i, 300 + i % 3 }' > $r/gpu.csv
done
gpustat diff a b -q | head -n 1
gpustat diff a b -q --fail-if 'duration>+5%' > /dev/null; echo $?
gpustat diff a b -q --fail-if 'total_duration>+5%' > /dev/null; echo $?
gpustat diff a b -q --fail-if 'total_duration>+50%' > /dev/null; echo $?
gpustat diff a b -q --fail-if 'total_energy<-5%' > /dev/null; echo $?
gpustat diff a b -q --fail-if 'total_speed>+5%' > /dev/null
