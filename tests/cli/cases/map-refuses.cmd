# Each trap is one error that names the option.
try() { gpustat map "$@" > out; echo "exit $?"; [ ! -s out ] || head -c 200 out; }
exec 2>&1
printf 'time,power\n2024-05-01T12:00:00Z,1500\n' > unit.csv; try --samples unit.csv
printf '2024-05-01T12:00:00Z,5\n2024-05-01T12:00:01Z,6\n' > none.csv; try none.csv
printf 'event,start,stop\na,2024-05-01T10:12:00Z,2024-05-01T10:13:00Z\n' > ev.csv # an origin is asked for where two must meet
printf 'time,power_w\n10:12:46,5\n' > tod.csv; try --samples tod.csv --events ev.csv
printf 'time,power_w\n05-06-2024 10:00:00,5\n05-09-2024 10:00:00,5\n' > dm.csv; try --samples dm.csv # of one day either may be the month; here it matters
printf 'time,power_w\n2017-10-03 00:00:00 PDT,5\n' > word.csv; try --samples word.csv
printf 'time,power_w\n12.5,5\n' > own.csv; try --samples own.csv --events ev.csv
printf 'time,power_w\n2024-05-01T10:12:46Z,5\n' > log.csv
printf 'Start (ns),End (ns),Name\n26940649047,26940822025,x\n' > nsys.csv; try --events nsys.csv --samples log.csv
printf 'a,b;c\nd,e;f\n' > two.csv; try two.csv
printf 'time,power_w\n2024-05-01T12:00:00Z,five\n' > bad.csv; try bad.csv
printf 'time,power_w\n2024-05-01T12:00:00Z\n2024-05-01T12:00:01Z,5\n' > short.csv; try short.csv
printf 'name,start,stop\nx,2024-05-01T12:00:01Z,2024-05-01T12:00:00Z\n' > back.csv; try back.csv
try --samples short.csv --set samples.metrics.temp_c=heat --set samples.host=node
try bad.csv --set samples.shift=auto
try bad.csv --set samples.shift=soon
try no-such-file.csv
try --samples 'no-such-*.csv'
printf '{' > m.json; try --map m.json
printf '{"schema":"gpustat.map/1","sources":[{"role":"samples","files":["none.csv"],"form":"tables","time":"t","metrics":{"power_w":"p"}}]}' > m.json; try --map m.json
printf '{"schema":"gpustat.map/1","sources":[{"role":"samples","files":["gone.csv"],"time":"t","metrics":{"power_w":"p"}}]}' > m.json; try --map m.json
