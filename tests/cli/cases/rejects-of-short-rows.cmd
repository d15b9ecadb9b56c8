# A row with too few or too many fields is set aside as others are; a header that changes is none.
cat > log.csv <<'LOG'
timestamp, index, power.draw [W]
2024/10/10 13:18:58.000, 0, 10
2024/10/10 13:18:59.000, 0
2024/10/10 13:19:00.000, 0, 12, 13
power.draw [W], index, timestamp
13, 0, 2024/10/10 13:19:01.000
LOG
printf 'event,start,stop\nall,2024-10-10T13:18:58Z,2024-10-10T13:19:01Z\n' > spans.csv
gpustat events log.csv spans.csv --join window --tz UTC -f csv -q | cut -d, -f 1,2
gpustat events log.csv spans.csv --join window --tz UTC --rejects r.csv -f csv -q | grep -o '^all,1'
cat r.csv
