# Bursts of 0.8 s every 2 s, as a mean over a second that is renewed every 0.1 s: their 280 J each are fitted in the whole run. A part
# of it does not know the others: its parts add up to the log, and the intervals of its events hold 280 J for each.
awk 'function load(t,  x) { x = t - 5; return x <= 0 ? 0 : x >= 50 ? 20 : 0.8 * int(x / 2 + 1e-9) + ((x -= 2 * int(x / 2 + 1e-9)) < 0.8 ? x : 0.8) }
BEGIN {
    print "time,gpu,power_draw_w" > "gpu.csv"; print "event,start,stop" > "events.csv"
    for (i = 0; i < 25; i++) printf "k,%.3f,%.3f\n", 1714564805.123 + 2 * i, 1714564805.923 + 2 * i > "events.csv"
    for (i = 0; i <= 1200; i++) { u = int(i / 2) / 10; printf "%.3f,0,%.2f\n", 1714564800.123 + i / 20, 80 + 270 * (load(u) - load(u - 1)) > "gpu.csv" }
}'
gpustat events gpu.csv events.csv -q -f csv --show n,energy_sum_j
for range in '--to 2024-05-01T12:00:20.5' '--from 2024-05-01T12:00:20.5'; do
    gpustat balance gpu.csv events.csv -q -f csv --show part,energy_j $range
    gpustat events gpu.csv events.csv -q -f csv --show n,energy_sum_j,energy_low_j,energy_high_j $range
    gpustat gpus gpu.csv events.csv -q -f csv --show energy_j $range
done
gpustat balance gpu.csv events.csv -q -f csv --show part,energy_j --from 2024-05-01T12:00:01
