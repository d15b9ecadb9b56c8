# The log ends 50 ms before the second that an event ends in: looked at half a second later, as its times are cut, the event
# reaches beyond the log, but it need not, so it keeps its interval. One that surely does has none.
{ echo 'timestamp,power.draw.instant [W]'; for i in $(seq 1 2 99); do printf "2024-01-01T00:00:%02d.%d50Z,%d\n" $((i / 10)) $((i % 10)) $((200 + i % 3)); done; } > log.csv
for stop in 10 11; do
    printf 'event,start,stop\nstep,2024-01-01T00:00:02Z,2024-01-01T00:00:%sZ\n' $stop > events.csv
    gpustat events log.csv events.csv -q -f csv --show event,energy_sum_j,energy_low_j,energy_high_j
done
