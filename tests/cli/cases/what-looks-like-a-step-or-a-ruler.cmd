# A row of dashes between rows of readings ends nothing; a sum below a ruler is no reading.
printf 'timestamp,gpu,power_w\n1700000000,0,100\n1700000001,0,101\n--,--,--\n1700000002,0,102\n------,-,---\nmean,,900\n' > dashes.csv
gpustat gpus dashes.csv -q -f csv --show samples,power_mean_w
# The sign of a number that no colon stands before; a rate per step is no time; a blank before a colon.
for i in 1 2 3; do printf '2025-01-01T00:00:0%s GPU 0, temp -5 C, power: 4%s W\n' $i $i; done > cold.log
gpustat gpus cold.log -q -f csv --show samples,power_mean_w,temp_mean_c
for i in 1 2 3 4; do printf '2025-01-01T00:00:0%s iter %s loss : 2.%s, tokens 512/batch\n' $i $i $i; done > rate.log
gpustat map rate.log | grep -E '"(event|phase|duration|found)"'
for i in 1 2 3 4; do printf '2025-01-01T00:00:0%s iter %s, 95%s ms/iteration\n' $i $i $i; done > whole.log
gpustat map whole.log -q | grep -E '"(event|phase|duration)"'
# Lengths in several units are none of one; a row without a length moves all behind it, but where its step has one, and only one.
printf 'time,step,step_time\n2025-01-01T00:00:01,1,950ms\n2025-01-01T00:00:02,2,1.2s\n2025-01-01T00:00:03,3,900ms\n' > units.csv
gpustat map units.csv -q | grep -c duration
printf 'event,duration_s\nload,1\nsave,\ntrain,2\n' > nameless.csv
gpustat events nameless.csv --set events.event=event --set events.duration=duration_s --start 2024-05-01T12:00:00Z
printf 'epoch,duration_s\n1,4\n1,\n1,4\n2,4\n3,3\n' > again.csv; gpustat map again.csv
# Lists of other lengths beside those of readings, 20,000 of them, cost no time; long lines neither.
{ printf '{"time":['; seq -s, 1700000000 1700004999; printf '],"power_w":['; seq -s, 5000 | sed 's/[0-9]\+/100/g'; printf ']'; seq -f ',"k%.0f":[1]' 20000 | tr -d '\n'; printf '}'; } | tr -d '\n' > lists.json
timeout 20 gpustat gpus lists.json -q -f csv --show samples,power_mean_w
{ yes 'a:b ' | head -40000 | tr -d '\n'; echo; } > long.log; timeout 20 gpustat map long.log
