# A header with fewer names than the rows have cells: which of them it names is asked for, with what to type.
{
    printf 'sep=;\nTimestamp [us];Power measure [W]\n'
    for i in 0 1 2 3; do echo "${i}000;2$i;65;1"; done
} > sep.csv
gpustat power sep.csv 2>&1
gpustat power sep.csv --set samples.separator=';' --set samples.header=0 --set samples.skip=2 --set 'samples.columns=Timestamp [us],Power measure [W],-,-' --show power_mean_w -f csv 2>&1 | grep -v -e uncertain -e sensor
printf 'time\tpower_w\n1\t0.0\t50\n2\t1.0\t60\n3\t2.0\t61\n' > r.tsv
gpustat power r.tsv 2>&1
# Cells of a share that are none are a counter's: no rival of the load.
printf 'timestamp,gpu_use_percent,gfx_activity\n1754586056,10,89377230\n1754586061,30,89377250\n1754586066,20,89377270\n' > amd.csv
gpustat gpus amd.csv -q --show gpu_util_mean_pct -f csv
