# Two jobs idle for 3 and for 4 minutes: bars, tics and the name of the axis are in seconds.
mkdir run
{
    echo 'timestamp,hostname,index,power.draw [W],utilization.gpu [%]'
    for i in $(seq 0 48); do printf '2026-03-01 10:%02d:%02d.000, n1, 0, 100.00 W, %d %%\n' $((i / 6)) $((i % 6 * 10)) $((i < 6 ? 90 : 0)); done
} > run/gpu.csv
printf 'job,user,start,end,nodes,gpus\n1,ann,2026-03-01T10:00:00,2026-03-01T10:04:00,n1,1\n2,bob,2026-03-01T10:04:00,2026-03-01T10:08:00,n1,1\n' > run/jobs.csv
gpustat jobs run --by user -q -f csv --show user,wasted_gpu_h
gpustat jobs run --by user -q --plot - | head -4
gpustat jobs run --by user -q -f gnuplot | grep -m 2 -e "^set xtics ('" -e "^set xlabel '"
