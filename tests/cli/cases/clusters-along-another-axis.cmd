# Equal GPUs are one population; a clock divides them only where it is asked for, and a metric must be there.
{
    echo 'timestamp, uuid, utilization.gpu [%], utilization.memory [%], clocks.sm [MHz], power.draw [W]'
    for i in $(seq 0 11); do
        for s in 00 10 20; do
            echo "2024/05/01 10:00:$s.000, GPU-$i, 90 %, 40 %, $((1700 + 2 * i - 300 * (i % 2))) MHz, 300 W"
        done
    done
} >smi.csv
gpustat clusters smi.csv --show cluster,gpus,axes,silhouette
echo "exit $?"
gpustat clusters smi.csv --axes sm_clock_mhz --show cluster,gpus,axes,silhouette
gpustat clusters smi.csv --axes sm_clock_mhz --least-points 30 --show cluster,gpus,axes
gpustat clusters smi.csv --axes fan_pct
echo "exit $?"
gpustat clusters smi.csv --axes gpu_utile_pct
echo "exit $?"
