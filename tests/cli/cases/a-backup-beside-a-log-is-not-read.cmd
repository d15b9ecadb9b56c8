# What editors and downloads leave is no second host: passed over by its name, told, and read where it is named.
mkdir run && cp data/own/*.csv run
gpustat gpus run -f csv -q > alone
for name in nvidia-smi.csv~ nvidia-smi.csv.bak nvidia-smi.csv.orig nvidia-smi.csv.part steps.csv.tmp; do
    head -n 100 run/nvidia-smi.csv > run/$name
done
gpustat gpus run -f csv 2> err | cmp - alone && echo same
grep warning err
gpustat map run 2> /dev/null | grep -A 3 unused
gpustat gpus run/nvidia-smi.csv.bak -f csv -q --show samples
rm run/nvidia-smi.csv; gpustat gpus run 2>&1; echo $?
