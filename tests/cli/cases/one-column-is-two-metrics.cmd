# A log whose only power of an instant is power_w, too: the same by the scanner (a file) and by the mapper (with a shift).
{
    echo 'timestamp, index, name, utilization.gpu [%], power.draw.average [W], power.draw.instant [W]'
    for s in {10..59}; do
        for g in 0 1; do echo "2024/03/05 10:00:$s.123, $g, NVIDIA H100 80GB HBM3, $s, $((100 + g)).00, $((200 + s + g)).50"; done
    done
    echo '2024/03/05 10:01:00.123, 0, NVIDIA H100 80GB HBM3, 60, 100.00, [N/A]'
    echo '2024/03/05 10:01:00.123, 1, NVIDIA H100 80GB HBM3, 60, 101.00, 260.50'
} > smi.csv
gpustat map smi.csv 2> /dev/null | grep -o '"power[a-z_]*": "[^"]*"'
gpustat gpus --samples smi.csv -q -f csv > fast.csv
gpustat gpus --samples smi.csv -q -f csv --set samples.shift=0s | cmp - fast.csv
cut -d, -f 4-5,7,14- fast.csv
gpustat gpus --samples smi.csv -f csv 2>&1 > /dev/null | grep -v zone
echo '2024/03/05 10:01:01.123, 1, NVIDIA H100 80GB HBM3, 60, 101.00, 12x' >> smi.csv
gpustat gpus --samples smi.csv -q
gpustat gpus --samples smi.csv -q --set samples.shift=0s
