# A GPU that is braked to 150 W works on, one that is never loaded idles all the time: both are in the total.
awk 'BEGIN {
    print "timestamp,gpu,power_w,gpu_util_pct"
    for (i = 0; i < 200; i++) {
        t = sprintf("2025-11-21T10:%02d:%02dZ", i / 60, i % 60)
        on = i >= 10 && i < 190
        print t ",0," (on ? 400 + i % 3 : 60 + i % 2) "," (on ? 97 : 0)
        print t ",1," (on ? (i < 100 ? 400 : 150) + i % 3 : 60 + i % 2) "," (on ? 97 : 0)
        print t ",2," 60 + i % 2 ",0"
    }
}' > gpu.csv
gpustat power gpu.csv -q --show gpu,active_s,idle_s
gpustat power gpu.csv -q --phases -f csv | cut -d, -f 1-3
