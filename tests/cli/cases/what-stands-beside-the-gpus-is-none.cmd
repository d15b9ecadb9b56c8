# Rows and columns of what is no GPU beside one: sums, the node, its supply, a processor of the same number, a limit. And one GPU
# told twice, by two tools: a guess would count it double.
rows() { # NAME VALUE...: a second of each
    printf 'time,%s,power_w\n' "$1"
    shift
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
        for v in "$@"; do echo "2025-03-04 09:30:$((10 + i)),$v"; done
    done
}
for t in "gpu 0,100 1,110 -1,210" "device gpu0,100 node,700" "device GPU,100 System,700" "sensor gpu,100 psu,400" \
    "source nvml,100 ipmi,400" "type,index cpu,0,80 gpu,0,100" "gpu,metric 0,power,100 0,power_limit,300"; do
    # shellcheck disable=SC2086
    rows $t > log.csv
    echo "$t: $(gpustat power log.csv -f csv --show gpu,energy_sensor_j 2>&1 | grep -v note | tr '\n' ' ')"
done
printf 'time,power_gpu0 (W),power_gpu1 (W),power_gpus (W)\n2025-03-04 09:30:00,100,110,210\n2025-03-04 09:30:01,100,110,210\n' > wide.csv
gpustat power wide.csv -q -f csv --show gpu,energy_sensor_j
