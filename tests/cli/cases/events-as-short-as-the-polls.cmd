# Events of 1 s at 300 W and rests of 1 s at 60 W, polled each second: the polls read what is around the events, too, and more than
# the interval says. Not so where steps follow each other without a rest, or where there are ten polls in an event.
log() { # POLL REST, in ms
    awk -v poll="$1" -v rest="$2" 'BEGIN { print "timestamp,index,power.draw [W]"
        for (t = 0; t < 80000; t += poll) printf "2026-01-01T00:%02d:%06.3fZ,0,%d\n", t / 60000, t % 60000 / 1000,
            (t % (1000 + rest) < 1000 ? 300 : 60) + t * 7 % 11 }' > run/smi.csv
    awk -v rest="$2" 'BEGIN { print "event,start,stop"
        for (t = 0; t < 80000; t += 1000 + rest) printf "step,2026-01-01T00:%02d:%06.3fZ,2026-01-01T00:%02d:%06.3fZ\n",
            t / 60000, t % 60000 / 1000, (t + 1000) / 60000, (t + 1000) % 60000 / 1000 }' > run/steps.csv
    gpustat events run -f csv --show n 2>&1 | grep -c mixed
}
mkdir run
log 1013 1000
log 1013 0
log 103 1000
