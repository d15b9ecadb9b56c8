# Four GPUs at work for 400 s. From 280 s on GPU 2 is busy at 120 W of 300 (a collective that spins), or GPU 1 runs at 88 degrees and a
# clock 7 % lower: both last to the end and are named since then, though a median of all time is that of a healthy GPU.
log() {
    awk -v what="$1" 'BEGIN { print "timestamp,index,power_w,gpu_util_pct,temp_c,sm_clock_mhz"
        for (i = 0; i < 400; i++) for (g = 0; g < 4; g++) {
            hang = what == "hang" && g == 2 && i >= 280; hot = what == "hot" && g == 1 && i >= 160; n = (i * 7 + g * 3) % 11 - 5
            printf "%d,%d,%d,%d,%d,%d\n", 1770000000 + i, g, (hang ? 120 : hot ? 285 : 300) + n, 98,
                hot ? 88 : 60 + (i + g) % 3, (hot ? 1580 : 1700) + n } }' > gpu.csv
    gpustat gpus gpu.csv -q -f csv --show gpu_uuid,gpu_verdict,slow_since
    gpustat gpus gpu.csv 2>&1 > out | grep warning
}
log hang
log hot
