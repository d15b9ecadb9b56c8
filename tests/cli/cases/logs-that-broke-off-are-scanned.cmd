# A log whose header is said again, whose last row is torn, with NULs behind it: the same by the scanner (a file) and by
# the mapper (with a shift), whatever the threads; and what was passed over is counted.
mkdir run
for part in 0 1 2; do
    echo 'timestamp, index, uuid, power.draw [W], utilization.gpu [%]'
    for s in {10..59}; do
        for g in 0 1; do echo "2024/03/05 10:0$part:$s.123, $g, GPU-$g, $((100 + s)).5$g W, $((s + g)) %"; done
    done
done > run/smi.csv
printf '2024/03/05 10:03:00.123, 0, GP' >> run/smi.csv
cp run/smi.csv torn.csv
head -c 9000 /dev/zero >> run/smi.csv
printf 'event,start,stop\ntrain,2024-03-05 10:00:00,2024-03-05 10:03:00\n' > run/steps.csv
for j in 1 2; do gpustat gpus run --event train -q -f csv -j $j > $j.csv || exit; done
gpustat gpus run --event train -q -f csv --set samples.shift=0s > 3.csv
gpustat gpus --samples torn.csv --events run/steps.csv --event train -q -f csv | sed 's/^torn/smi/' > 4.csv
gpustat gpus run --event train -q -f csv --rejects rejects.csv > 5.csv
for k in 2 3 4 5; do cmp 1.csv $k.csv; done
cut -d, -f 3-8 1.csv
gpustat map run -q -f csv | cut -d, -f 1-7
gpustat gpus run --event train -f csv 2>&1 > /dev/null | grep -v zone
# A row that is torn, but not the last, is malformed.
printf '\n2024/03/05 10:03:01.123, 0, GPU-0, 100.50 W, 1 %%\n' >> torn.csv
gpustat gpus --samples torn.csv --events run/steps.csv --event train -q -f csv
