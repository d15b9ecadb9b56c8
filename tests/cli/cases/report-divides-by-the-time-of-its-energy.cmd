# A GPU at 300 W, polled every 0.2 s, one poll in seven after 1.1 s: whatever gaps are left out, it draws 300 W.
awk 'BEGIN {
    print "timestamp,index,power.draw [W]"
    for (k = 0; k < 700; k++) {
        printf "2024-05-01T12:%02d:%09.6fZ,0,%d\n", t / 60, t % 60, 299 + k % 3
        t += k % 7 == 6 ? 1.1 : 0.2
    }
}' > log.csv
for gap in 2s 0.5s; do
    for command in gpus power balance; do
        gpustat $command log.csv --max-gap $gap -f json -q 2>&1 |
            grep -oE '"(energy_j|energy_sensor_j|coverage_pct)": [^,}]*' | tail -n 2 | paste -sd' '
    done
    gpustat report log.csv --max-gap $gap -q -o page > /dev/null 2>&1
    grep -o 'The GPU used .*' page/report.md
done
gpustat power log.csv --max-gap 0.5s 2>&1 > /dev/null | grep 'samples. time'
