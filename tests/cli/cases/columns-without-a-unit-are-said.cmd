# A column that would be a metric but for its unit, beside a power that is known: said, with the options to type.
printf 'time,power_w,energy\n2026-01-01T00:00:00Z,100,5\n2026-01-01T00:00:02Z,100,205\n' > s.csv
printf 'name,start,stop\na,2026-01-01T00:00:00Z,2026-01-01T00:00:02Z\n' > spans.csv
said() { echo "$* ::"; "$@" 2>&1 > /dev/null | grep -v 'energy is uncertain'; }
said gpustat map s.csv
said gpustat events s.csv spans.csv
said gpustat power s.csv
said gpustat split s.csv spans.csv -o parts
said gpustat events s.csv spans.csv --set samples.ignored=energy
gpustat events s.csv spans.csv -q -f csv --set samples.metrics.energy_j.column=energy --set samples.metrics.energy_j.unit=mJ | cut -d, -f 1,15,21
# Long, wide, lines of JSON; other metrics are a note.
printf 'time,metric,value\n2026-01-01T00:00:00Z,power_w,100\n2026-01-01T00:00:00Z,energy,5\n' > long.csv; said gpustat map long.csv; said gpustat map long.csv --set samples.ignored=energy
printf 'time,gpu0_power_w,gpu0_energy,gpu0_fan\n2026-01-01T00:00:00Z,100,5,30\n' > wide.csv; said gpustat map wide.csv --set samples.ignored='gpu{gpu}_fan,gpu{gpu}_energy'; said gpustat map wide.csv
printf '{"time":"2026-01-01T00:00:00Z","power_w":100,"energy":5}\n' > s.json; said gpustat map s.json
# In files of the study; without a power it is an error.
mkdir run; printf 'timestamp,hostname,powerDrawWatt,energy\n2026-01-01T00:00:00Z,h,100,5\n' > run/gpu.csv; said gpustat power run/gpu.csv
printf 'timestamp,hostname,eventName,eventType\n2026-01-01T00:00:00Z,h,a,START\n2026-01-01T00:00:02Z,h,a,STOP\n' > run/application-checkpoints.csv
said gpustat events run
printf 'time,temp_c,energy\n2026-01-01T00:00:00Z,40,5\n' > t.csv; said gpustat map t.csv
