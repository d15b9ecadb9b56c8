# Two columns that are one metric of one GPU, or of one host, are an error that names both and what chooses; what
# stands side by side by rule, and columns that are equal, are none.
log() # NAME HEADER CELLS
{
    echo "timestamp,$2" > $1.csv
    for k in 0 1 2; do echo "2024-05-01 12:00:0$k,$3" >> $1.csv; done
}
medians() { gpustat map "$@" -q 2>&1 | grep -oE '"medians".*}}|^gpustat: .*'; }
log wide 'gpu0_power_w,gpu1_power_w,GPU0 Power [W],GPU1 Power [W],gpu0_temp' 100,300,200,400,30
log again 'gpu0_power_w,gpu1_power_w,gpu0_power_w' 100,300,200
log rows 'index,power.draw [W],gpu_power_w' 0,100,200
log other 'index,power.draw [W],temperature.gpu,gpu_temp' 0,100,40,41
log same 'index,power.draw [W],gpu_power_w' 0,100,100
log smi 'index,power.draw [W],power.draw.average [W],power.draw.instant [W]' 0,100,200,300
log hosts 'n1_watts,n2_watts,n1.watts' 100,300,200
for log in wide again rows other same smi; do medians $log.csv; done
gpustat map other.csv 2>&1 | grep 'not read'
gpustat power rows.csv; gpustat power rows.csv --power-column gpu_power_w -q -f csv | cut -d, -f 1,5
# Each of the options is one to type.
medians wide.csv --set 'samples.metrics.power_w.columns=gpu{gpu}_power_w'
medians wide.csv --set 'samples.metrics.power_w.columns=GPU{gpu} Power [W]'
medians again.csv --set 'samples.metrics.power_w.columns=gpu{gpu}_power_w'
medians rows.csv --set samples.metrics.power_w.column=gpu_power_w
# A pattern that was said fits two columns of one host.
medians hosts.csv --set 'samples.metrics.power_w.columns=n{host}*watts' --set samples.metrics.power_w.unit=W
medians hosts.csv --set 'samples.metrics.power_w.columns=n{host}*watts' --set samples.metrics.power_w.unit=W --set samples.ignored=n1.watts
