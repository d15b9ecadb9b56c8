printf 'event,gpu,start,stop\na,1,2024-10-10T12:19:02.447Z,2024-10-10T12:19:08.354Z\nb,0,2024-10-10T12:19:13Z,2024-10-10T12:19:19Z\nc,7,2024-10-10T12:19:13Z,2024-10-10T12:19:19Z\n' > w.csv
gpustat power data/power-log.csv --tz +01:00 --windows w.csv -f csv 2> said
grep -v 'missing in the samples\|without a zone' said >&2 # in the order of whichever reader took it
