# 100 readings of 300 W a second apart, of which seconds 40 to 59 are missing: every command with energies says how much of
# them is bridged, the same 6300 J of 21 s, and with --max-gap of how much of the time the energy is, 78 of 99 s.
awk 'BEGIN { print "timestamp,host,gpu,power.draw [W]"
    for (i = 0; i < 100; i++) if (i < 40 || i > 59) printf "2026-01-01T00:%02d:%02dZ,h,0,300\n", i / 60, i % 60 }' > samples.csv
printf 'event,start,stop,host,task\nwork,2026-01-01T00:00:00Z,2026-01-01T00:01:38Z,h,a\n' > events.csv
for options in '' '--max-gap 5s'; do
    for command in events join gpus balance timeline jobs; do
        echo "$command $options: $(gpustat "$command" --samples samples.csv --events events.csv $options 2>&1 > out | grep -E 'bridged|the time|pairs. time' | tr '\n' ';')"
    done
    echo "power $options: $(gpustat power samples.csv $options 2>&1 > out | grep -E 'bridged|the time')"
done
