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
{ echo 'timestamp,gpu,power_w,gpu,power_w'; log '17145648%02d,0,%d,1,300'; } > beside.csv
energy beside.csv
energy beside.csv --set samples.columns=timestamp,a,gpu0_power_w,b,gpu1_power_w
# Steps and nothing else are points.
{ echo 'step,time,loss'; for k in {0..9}; do echo "$k,2024-05-01 12:00:0$k,0.5"; done; } > steps.csv
gpustat events title.csv steps.csv -q
gpustat events title.csv steps.csv --set events.event.text=step --set events.time=time --set events.phase=points --join window -q -f csv | cut -d, -f 1-3,10,14,15
