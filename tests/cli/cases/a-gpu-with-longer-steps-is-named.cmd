# Steps that name their GPUs: those of GPU 2 take 5 s, the others 4 s, and all begin every 5 s. The sensors show nothing; the steps do.
{
    echo 'timestamp,index,power.draw [W],utilization.gpu [%]'
    for ((s = 0; s <= 110; s++)); do for g in 0 1 2 3; do
        date -u -d "@$((1773144000 + s))" "+%Y/%m/%d %H:%M:%S.000, $g, $((300 + (s + g) % 3)) W, 95 %"
    done; done
} > gpu.csv
{
    echo 'gpu,step,start,end'
    for ((k = 0; k < 20; k++)); do for g in 0 1 2 3; do
        start=$((1773144005 + 5 * k)) length=$((g == 2 ? 5 : 4))
        echo "$g,$k,$start,$((start + length))"
    done; done
} > steps.csv
gpustat report gpu.csv steps.csv -o page -q > /dev/null
grep -E '^\*\*|Read as|^- (Each|1 GPU|No GPU)' page/report.md
