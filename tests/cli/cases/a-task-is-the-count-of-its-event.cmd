# The k-th of its event on its host, by time: a STOP has the number of the START that it closes, the last that is open.
{ echo time,host,event,kind; while read -r t host event kind; do echo "2026-01-01T00:00:${t}Z,$host,$event,$kind"; done << 'END'; } > events.csv
30 h a START
12 h a START
15 h a STOP
20 h a START
22 h a START
23 h a STOP
21 h b START
24 h b STOP
26 h a STOP
27 h a STOP
14 i a START
16 i a STOP
33 h a STOP
END
{ echo time,host,gpu,power_w; for k in {10..40}; do echo "2026-01-01T00:00:${k}Z,h,0,100"; echo "2026-01-01T00:00:${k}Z,i,0,50"; done; } > gpu.csv
gpustat join gpu.csv events.csv --set events.task.count=true -f csv | cut -d, -f 1,8,10-13
gpustat map gpu.csv events.csv --set events.task.count=true -q -o map.json && grep '"task"' map.json
gpustat join --map map.json . -q -f csv | cut -d, -f 1,8,10 | md5sum
gpustat join gpu.csv events.csv --set events.task.count=true -q -f csv | cut -d, -f 1,8,10 | md5sum
# What may not be said of a value, of a row's condition and of a file's name.
for set in task.count=yes where.=x where.host=[ names.a=b metrics.x.column=p attributes.=x phase.middle=x phase.start=[ time.numbers=maybe; do
    gpustat join gpu.csv events.csv --set "events.$set" -q
done
gpustat gpus gpu.csv --set 'samples.host.file=rack{host}-*.csv' -q
gpustat gpus gpu.csv --set 'samples.host.file=[' -q
gpustat gpus gpu.csv --set 'samples.host.file={host}.csv' -q -f csv | cut -d, -f 1,5
