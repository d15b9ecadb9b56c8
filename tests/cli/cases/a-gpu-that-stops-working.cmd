# Four GPUs at work for 400 s. GPU 2 works no more after 280 s, and never again: it idles since then. After 360 s it is only
# done a little earlier. A GPU whose clock is always 8 % low is below 10 % by chance, and is not said to be so at times; hotter
# and of less power than its siblings, where nobody logged clocks, it is held back by heat.
log() {
    awk -v stop="$1" -v clock="$2" 'BEGIN { print "timestamp, index, power.draw [W], utilization.gpu [%], temperature.gpu" (clock ? ", clocks.sm [MHz]" : "")
        for (i = 0; i < 400; i++) for (g = 0; g < 4; g++) {
            idle = g == 2 && i >= stop; low = g == 1 && clock > 0 && clock < 1700; hot = g == 1 && !clock
            printf "2025/04/02 09:%02d:%02d.000, %d, %.1f W, %d %%, %d", i / 60, i % 60, g,
                (idle ? 70 : hot ? 230 : 300) + (i * 7 + g * 3) % 11 - 5, idle ? 0 : 98, (idle ? 40 : hot || low ? 78 : 60) + (i + g) % 3
            print clock ? ", " (idle ? 345 : (low ? clock : 1700) + (i * 13 + g * 5) % 71 - 35) " MHz" : "" } }' > smi.csv
    gpustat stragglers smi.csv -q -f csv --show gpu_verdict,slow_since | sed -n 2,5p | tr '\n' ' '
    gpustat stragglers smi.csv 2>&1 > smi.out | grep warning
}
log 280 1700
log 360 1700
log 400 1560
log 400 0
