# Logs as people write them by hand: what can be told is told; what cannot is one error whose advice works as typed.
exec 2>&1
printf 'name,start,stop\nall,2024-05-01T12:00:00Z,2024-05-01T12:00:30Z\n' > spans.csv
energy()
{
    gpustat events "$@" spans.csv --tz UTC --join window -q -f csv | cut -d, -f 1-3,10,14,15 | tail -n +2
}
log() { for k in {0..9}; do printf "$1\n" $k $((100 + k)); done; }
# A date and a time of day, in a spreadsheet's file; a title; the instants of `date --iso-8601=ns`.
{ echo 'sep=;'; echo 'Date;Time;GPU Power [W]'; log '01.05.2024;12:00:0%d,250;%d,5'; } > sheet.csv
energy sheet.csv
{ echo 'Log of run 7'; echo; echo 'timestamp, power.draw [W]'; log '2024/05/01 12:00:0%d.250, %d.50 W'; } > title.csv
energy title.csv
{ echo 'timestamp,power.draw'; log '2024-05-01T14:00:0%d,250000000+02:00, %d.50'; } > iso.csv
energy iso.csv
# No header; a unit that stands nowhere; names in another language; one GPU beside the other.
log '2024-05-01,12:00:0%d.25,%d.5' > bare.csv
energy bare.csv
energy bare.csv --set samples.columns=date,time,power_w
{ echo 'time,gpu,power'; log '2024-05-01 12:00:0%d.25,0,%d500'; } > milli.csv
energy milli.csv
energy milli.csv --set samples.metrics.power_w.column=power --set samples.metrics.power_w.unit=mW
{ echo 'Zeit,Leistung [W]'; log '2024-05-01 12:00:0%d.25,%d.5'; } > german.csv
energy german.csv
energy german.csv --set samples.time=Zeit
energy german.csv --set samples.time=Zeit --set 'samples.metrics.power_w=Leistung [W]'
{ echo 'Protokoll'; cat german.csv; } > skip.csv
energy skip.csv
energy skip.csv --set samples.skip=1
energy skip.csv --set samples.skip=1 --set samples.time=Zeit --set 'samples.metrics.power_w=Leistung [W]'
{ echo 'timestamp,gpu,power_w,gpu,power_w'; log '17145648%02d,0,%d,1,300'; } > beside.csv
energy beside.csv
energy beside.csv --set samples.columns=timestamp,a,gpu0_power_w,b,gpu1_power_w
# Seconds since the beginning.
{ echo 'elapsed_s,gpu_power_w'; log '%d.25,%d.5'; } > elapsed.csv
energy elapsed.csv
energy elapsed.csv --set samples.origin=2024-05-01T12:00:00Z
{ echo 'time_relative_ms,power_watts'; log '%d250,%d.5'; } > relative.csv
energy relative.csv --set samples.origin=2024-05-01T12:00:00Z
gpustat power elapsed.csv -q -f csv | cut -d, -f 2,5,9
# Four GPUs in turn, a millisecond apart, and no column that names them; one GPU whose logger stumbles.
in_turn() { echo 'timestamp,power_w'; for k in {0..9}; do for g in $1; do echo "2024-05-01 12:00:0$k.00$g,$((100 + g))"; done; done; }
in_turn '0 1 2 3' > four.csv
energy four.csv
energy four.csv --set samples.gpu.text=0
{ in_turn 0; echo '2024-05-01 12:00:05.001,100'; echo '2024-05-01 12:00:07.002,100'; } > stumbles.csv
energy stumbles.csv
# Steps and nothing else end at their times, or begin there where that is said.
{ echo 'step,time,loss'; for k in {0..9}; do echo "$k,2024-05-01 12:00:0$k,0.5"; done; } > steps.csv
gpustat events title.csv steps.csv -q
gpustat events title.csv steps.csv --set events.event.text=step --set events.time=time --set events.phase=points --join window -q -f csv | cut -d, -f 1-3,10,14,15
# Loops that write the time on a line of its own: rocm-smi, nvidia-smi with and without a header.
clock() { echo "Wed May  1 12:00:0$1 ${2-UTC} 2024"; }
for k in {0..9}; do clock $k; printf 'device,Average Graphics Package Power (W),GPU use (%%)\ncard0,10%d.0,90\ncard1,20%d.0,80\n\n' $k $k; done > rocm.log
energy rocm.log --by gpu
for k in {0..9}; do clock $k; printf 'power.draw [W], utilization.gpu [%%]\n10%d.50 W, 90 %%\n' $k; done > loop.log
energy loop.log
for k in {0..9}; do clock $k; printf '10%d.5, 90\n20%d.5, 80\n' $k $k; done > two.log
energy two.log
energy two.log --set samples.columns=power.draw,utilization.gpu
energy two.log --set samples.columns=power.draw,utilization.gpu --set samples.gpu=row
for k in {0..9}; do clock $k CEST; printf 'power.draw [W]\n10%d.50 W\n' $k; done > zone.log
energy zone.log
energy zone.log --set samples.zone=+02:00 --set 'samples.time.unit=* Mon DD hh:mm:ss * YYYY' --set samples.shift=2h
for k in {0..9}; do clock $k; echo 'gpu,power_w'; echo "0,10$k.5"; [ $k != 5 ] || echo '0,1,2'; echo 'WARNING: one GPU is asleep'; done > odd.log
energy odd.log
energy odd.log --rejects odd.rejects 2>&1; cat odd.rejects
# Boards: the module's power, else the GPU's rail.
for k in {0..9}; do echo "05-01-2024 12:00:0$k RAM 10/30MB (lfb 6x4MB) GR3D_FREQ 5%@[305] GPU@40C VDD_GPU_SOC 10${k}500mW/3mW VDD_CPU_CV 4mW/4mW"; done > orin.log
energy orin.log
for k in {0..9}; do echo "05-01-2024 12:00:0$k RAM 10/30MB (lfb 6x4MB) GR3D_FREQ 5% GPU@40C CPU@33C GPU 10${k}500/3 CPU 4/4 SOC 5/5"; done > xavier.log
energy xavier.log
gpustat map xavier.log -q | grep -o '"metrics.*}}'
for k in {0..9}; do echo "RAM 10/30MB (lfb 6x4MB) GR3D_FREQ 5% GPU@40C POM_5V_IN 10${k}500/3 POM_5V_GPU 4/4"; done > nano.log
energy nano.log --set samples.time.every=1s --set samples.origin=2024-05-01T12:00:00Z
{ echo 'time,uptime,CPU1,GPU,Temp GPU,Power CPU,Power TOT'; log '2024-05-01 12:00:0%d.25,1 day,3,4,40.5,400,%d500' ; } > jtop.csv
energy jtop.csv
# dmon as CSV, with times and without; a trace of GEOPM; tables of Flux.
{ printf '#Date, Time, gpu, pwr, gtemp, sm\n#YYYYMMDD, HH:MM:SS, Idx, W, C, %%\n'; log ' 20240501, 12:00:0%d, 0, %d, 40, 5'; } > dmon.csv
energy dmon.csv
{ printf '#Time        gpu   pwr\n#HH:MM:SS    Idx     W\n'; log ' 12:00:0%d     0   %d'; } > clock-dmon.txt
energy clock-dmon.txt
energy clock-dmon.txt --set samples.origin=2024-05-01T00:00:00Z
{ echo 'gpu,pwr,gtemp,mtemp,sm'; log '0, %.0s%d, 40, -, 5'; } > bare-dmon.csv
energy bare-dmon.csv --set samples.time.every=1s --set samples.origin=2024-05-01T12:00:00Z
{ printf '# geopm_version: 3.1.0\n# node_name: "n1"\nTIME|EPOCH_COUNT|REGION_HASH|GPU_POWER\n'; log '%d.25|0|0x725e8066|%d.5'; } > geopm.csv
energy geopm.csv
energy geopm.csv --set samples.origin=2024-05-01T12:00:00Z
{ printf '#group,false,false,true\n#datatype,string,long,double\n#default,_result,,\n,result,table,_start,_stop,_time,_value,_field,host,index\n'
    log ',,0,2024-05-01T11:00:00Z,2024-05-01T13:00:00Z,2024-05-01T12:00:0%dZ,%d.5,power_draw,n1,0'; } > flux.csv
energy flux.csv
# sacct as people see it: columns as wide as their dashes; a list of nodes that was cut off is an error; no header at all.
{
    printf '%-12s %10s %15s %19s %19s %10s \n' JobID JobName NodeList Start End State
    echo '------------ ---------- --------------- ------------------- ------------------- ---------- '
    printf '%-12s %10s %15s %19s %19s %10s \n' 12 train 'n[01-02]' 2024-05-01T12:00:00 2024-05-01T12:00:09 COMPLETED \
        12.batch batch n01 2024-05-01T12:00:00 2024-05-01T12:00:09 COMPLETED \
        13 'eval run' n01 2024-05-01T12:00:10 2024-05-01T12:00:15 'CANCELLED+' \
        14 later 'None assigned' Unknown Unknown PENDING
} > jobs.txt
found() { gpustat map "$@" -q -f csv | tail -n +2; }
found jobs.txt
sed 's/       n\[01-02\]/n[01-02,04-09,+/' jobs.txt > cut.txt
found cut.txt
gpustat events --samples sheet.csv --events cut.txt --set samples.host.text=n01 --tz UTC --set events.shift=-6s --rejects jobs.rejects -q > jobs.out; tail -n 1 jobs.rejects
gpustat events --samples sheet.csv --events jobs.txt --set samples.host.text=n01 --by event,state --tz UTC -q -f csv --join window | cut -d, -f 1-4,11,15
printf '12|train|n[01-02]|2024-05-01T12:00:00|2024-05-01T12:00:09\n13|eval|n01|2024-05-01T12:00:10|2024-05-01T12:00:15\n' > bare.txt
found bare.txt --set events.form=sacct --set events.columns=JobID,JobName,NodeList,Start,End
found bare.txt --set events.form=sacct --set events.columns=JobName,NodeList,Start,End,x
