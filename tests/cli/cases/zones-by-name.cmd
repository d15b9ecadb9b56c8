# Clocks of Berlin went back at 03:00 on 2018-10-28: 02:30 occurs twice, 03:00 does not. Without the system's zones: nothing to see.
if ! [ -e /usr/share/zoneinfo/Europe/Berlin ]; then
    cat "$CASES/zones-by-name.err" >&2
    exec cat "$CASES/zones-by-name.out"
fi
mkdir d
cat > d/application-checkpoints.csv <<'CSV'
timestamp,hostname,eventName,eventType,jobId,taskId
2018-10-28 01:30:00,a,Render,START,j,t
2018-10-28 03:30:00,a,Render,STOP,j,t
CSV
cat > d/gpu.csv <<'CSV'
timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc
2018-10-28 01:30:00,a,1,U,100,40,5,6
CSV
gpustat events d --tz Europe/Berlin -f csv | cut -d, -f 1-3
gpustat events d --tz +01:00 -f csv -q | cut -d, -f 1-3
echo '2018-10-28 02:30:00,a,1,U,100,40,5,6' >> d/gpu.csv
gpustat events d --tz Europe/Berlin
echo "status $?"
gpustat events d --tz Europe/Berlin --rejects r -f csv | cut -d, -f 1-3
tail -n 1 r
gpustat events d --tz Europe/Berln
echo "status $?"
gpustat events d --tz ../../etc/passwd
echo "status $?"
gpustat events d --tz Europe/Berlin --explain 2> /dev/null | grep -e --tz
