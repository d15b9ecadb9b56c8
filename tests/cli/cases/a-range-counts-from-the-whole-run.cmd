# The events begin before the samples and end after them: +1m and -1m are of both, also where a command takes one alone.
mkdir run
cat > run/smi.csv <<'END'
timestamp,gpu,power_w
2026-03-01T10:00:30Z,0,100
2026-03-01T10:01:00Z,0,100
2026-03-01T10:02:00Z,0,200
2026-03-01T10:03:00Z,0,200
2026-03-01T10:04:00Z,0,200
END
cat > run/ev.csv <<'END'
event,start,stop
a,2026-03-01T10:00:00Z,2026-03-01T10:02:00Z
b,2026-03-01T10:02:00Z,2026-03-01T10:05:00Z
END
for command in events gpus power balance timeline schedule; do
    echo "$command: $(gpustat $command run --from +1m --to -1m 2>&1 | grep -o 'only the time .* counts')"
done
echo 'of one file: ' "$(gpustat power run/smi.csv --from +1m 2>&1 | grep -o 'only the time .* counts')"
# Hours that a zone has never or twice.
gpustat events run --tz Europe/Berlin --from 2026-03-29T02:30
gpustat events run --tz Europe/Berlin --from '2026-10-25 02:30'
gpustat events run --tz Europe/Berlin --from 2026-10-25T02:30+02:00
