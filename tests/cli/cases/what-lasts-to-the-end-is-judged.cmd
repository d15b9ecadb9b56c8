# Four GPUs at work for 400 s. From 280 s on GPU 2 is busy at 120 W of 300 (a collective that spins), or GPU 1 runs at 88 degrees and a
# clock 7 % lower: both last to the end and are named since then, though a median of all time is that of a healthy GPU. In the third
# log each GPU has tasks of its own, of a minute each with pauses: one that happens to rest more often is not idle.
# In the fourth the power of GPU 2 wanders by 13 % every half minute: that it is 18 % lower in the last of them is chance.
log() {
    awk -v what="$1" 'BEGIN { print "timestamp,index,power_w,gpu_util_pct,temp_c,sm_clock_mhz"; x = 7
        for (i = 0; i < 400; i += what == "tasks" ? 0.25 : 1) for (g = 0; g < 4; g++) {
            if (i % 10 == 0) { x = (x * 1103 + 331) % 10007; rest[g] = what == "tasks" && x % 10 < (g == 3 ? 5 : 3) }
            hang = what == "hang" && g == 2 && i >= 280; hot = what == "hot" && g == 1 && i >= 160; n = (int(i) * 7 + g * 3) % 11 - 5
            if (what == "wander" && g == 2) n -= i >= 300 ? 54 : int(i / 30) % 2 ? 3 : 42
            printf "%.2f,%d,%d,%d,%d,%d\n", 1770000000 + i * (what == "tasks" ? 4 : 1), g, (rest[g] ? 70 : hang ? 120 : hot ? 285 : 300) + n, rest[g] ? 0 : 98,
                hot ? 88 : rest[g] ? 40 : 60 + (i + g) % 3, rest[g] ? 345 : (hot ? 1580 : 1700) + n } }' > gpu.csv
    gpustat gpus gpu.csv -q -f csv --show gpu_uuid,gpu_verdict,slow_since
    gpustat gpus gpu.csv 2>&1 > out | grep warning
}
log hang
log hot
log tasks
log wander
true
