# Once, with the option that is typed; not where the sensor is known.
note() { "$@" 2>&1 > /dev/null | grep -o 'energy is uncertain.*' || echo none; }
for i in $(seq 0 39); do
    echo "2024-01-01T00:00:$((i / 10 + 10)).$((i % 10))00Z,$((300 - i % 2))"
done > body
{ echo 'timestamp,power.draw [W]'; cat body; } > log.csv
printf 'start,stop\n2024-01-01T00:00:11Z,2024-01-01T00:00:12Z\n2024-01-01T00:00:12Z,2024-01-01T00:00:13Z\n' > windows.csv
note gpustat power log.csv
note gpustat power log.csv --windows windows.csv
note gpustat power log.csv --card 'Tesla P100-PCIE-16GB'
note gpustat power log.csv --sensor gain=1,offset=0
sed 's/,300$/,30/' log.csv > rough.csv
note gpustat power rough.csv --windows windows.csv --sensor gain=1,offset=0
note gpustat power rough.csv --windows windows.csv --sensor gain=1,offset=0,period=100ms,window=20ms
for command in events zoom gpus balance schedule; do
    note gpustat $command data/
done
note gpustat balance data/ --sensor gain=1,offset=0
note gpustat power log.csv -q
# A card that hardly changes cannot be calibrated, and that is not its clock's fault.
{ echo 'timestamp,power.draw [W]'; sed 's/,.*/,300/' body; } > still.csv
gpustat power still.csv --calibrate log.csv
echo "exit $?"
