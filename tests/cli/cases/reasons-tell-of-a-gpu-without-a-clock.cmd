# Four GPUs at work without a clock in the log. GPU 2 draws a fifth less, and its board says why: 0x40 is heat, 0x4 a power cap,
# 0x1 nothing; without a reason nobody knows what it waits for.
for reason in 40 4 1; do
    awk -v reason=$reason 'BEGIN { print "timestamp, index, power.draw [W], utilization.gpu [%], temperature.gpu, clocks_event_reasons.active"
        for (i = 0; i < 400; i++) for (g = 0; g < 4; g++)
            printf "2025/04/02 09:%02d:%02d.000, %d, %.1f W, 100 %%, %d, 0x%016d\n", i / 60, i % 60, g,
                (g == 2 ? 240 : 300) + (i * 7 + g * 3) % 11 - 5, 60 + (i + g) % 3, g == 2 ? reason : 1 }' > smi.csv
    gpustat gpus smi.csv -q -f csv --show gpu_verdict | sed -n 4p
done
