# sacct as it is printed cuts AllocTRES to ten characters: how many GPUs a job held is not known then.
row() { printf '%-12s %10s %19s %19s %15s %10s \n' "$@"; }
{
    row JobID JobName Start End NodeList AllocTRES
    row ------------ ---------- ------------------- ------------------- --------------- ----------
    row 1 test 2026-03-10T12:00:00 2026-03-10T13:00:00 h1 billing=4+
} > sacct.txt
gpustat jobs sacct.txt
echo "exit status $?"
sed 's/billing=4+/gres\/gpu=0/' sacct.txt > none.txt
printf 'timestamp,host,gpu,power_w,gpu_util_pct\n%s,h1,0,50,0\n%s,h1,0,50,0\n' 1773144000 1773147600 > gpu.csv
gpustat jobs none.txt gpu.csv --show job,gpu_h,wasted_gpu_h --format csv 2> err # no job held a GPU
