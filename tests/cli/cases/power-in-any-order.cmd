# What power says of each GPU depends on neither the order of the rows nor the number of threads.
(head -n 1 data/gpu.csv; tail -n +2 data/gpu.csv | sort -r) > sorted.csv
for how in '' --metrics --phases '--windows w.csv'; do
    printf 'start,stop\n2018-11-08T08:00:00Z,2018-11-08T08:05:00Z\n' > w.csv
    gpustat power data/gpu.csv $how -j 1 -f csv -q > one
    gpustat power data/gpu.csv $how -j 4 -f csv -q | cmp - one
    gpustat power sorted.csv $how -f csv -q | cmp - one
    wc -l < one
done
