# A mean over a second of 60 bursts, 54 of each 104 ms at 300 W, 60 W between: it never reads more than 190 W.
awk 'function on(t,  k, r) { t -= 3000; if (t <= 0) return 0
        k = int(t / 104); if (k >= 60) return 60 * 54
        r = t - k * 104; return k * 54 + (r < 54 ? r : 54) }
    BEGIN { print "timestamp,power_w" > "meter.csv"; print "timestamp,power.draw [W]" > "smi.csv"
        for (t = 0; t < 12000; t += 2) { v = (on(t + 1) > on(t)) ? 300 : 60; printf "%.3f,%d\n", 1600000000 + t / 1000, v > "meter.csv" }
        for (t = 2000; t < 12000; t += 20) { if (t % 100 == 0) w = 60 + 240 * (on(t) - on(t - 1000)) / 1000 + t / 1e6
            printf "%.2f,%.4f\n", 1600000000 + t / 1000, w > "smi.csv" } }'
gpustat power smi.csv --calibrate meter.csv -f csv 2>&1 | grep -o 'the readings reach.*'
