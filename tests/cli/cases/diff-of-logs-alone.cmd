# A power log of 8 GPUs without events: idle, load, idle; in B 20 % less under load, and GPU 5 at its full clock.
for run in a b; do
    awk -v b=$([ $run = b ] && echo 1 || echo 0) 'BEGIN {
        print "timestamp, index, power.draw [W], clocks.current.sm [MHz]"
        for (t = 0; t < 400; t++)
            for (g = 0; g < 8; g++) {
                load = t >= 40 && t < 360
                slow = !b && g == 5
                printf "2025/11/21 04:%02d:%02d.000, %d, %.2f W, %d MHz\n", int(t / 60), t % 60, g, load ? (b ? 400 : 500) + (t * 7 + g * 3) % 11 - 60 * slow : 60 + t % 2, load ? 1700 - 400 * slow : 345
            }
    }' > run-$run.csv
done
gpustat diff run-a.csv run-b.csv -q --tz UTC
gpustat diff run-a.csv run-b.csv -q --tz UTC --by gpu --measure sm_clock_mhz --format markdown
gpustat diff run-a.csv run-b.csv -q --tz UTC --price 0.3EUR/kWh --format csv | cut -d, -f1-2,8-10,18 | grep -E "cost|power"
# Power in bursts: the mean of all has an interval of two pauses, the bursts themselves tell what changed.
for run in c d; do
    awk -v watts=$([ $run = c ] && echo 300 || echo 330) 'BEGIN {
        print "timestamp, index, power.draw [W]"
        for (t = 0; t < 300; t++)
            printf "2025/11/21 04:%02d:%02d.000, 0, %.2f W\n", int(t / 60), t % 60, t % 60 < 48 ? watts + (t * 7) % 11 - 5 : 60 + t % 3
    }' > run-$run.csv
done
gpustat diff run-c.csv run-d.csv -q --tz UTC | head -n 1
gpustat diff run-c.csv run-c.csv -q --tz UTC | head -n 1
