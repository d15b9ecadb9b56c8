# The night in which summer time ends: a log in local times has an hour twice. Every command asks for the zone, with which the
# rows' order tells the two apart: 4 hours of 200 W are 800 Wh. Without the system's zones: nothing to see.
if ! [ -e /usr/share/zoneinfo/Europe/Berlin ]; then
    exec cat "$CASES/a-night-whose-clock-goes-back-asks-for-its-zone.out"
fi
mkdir d && cd d
{
    echo 'timestamp, index, power.draw [W]'
    for t in $(seq 1792882800 30 1792897200); do
        for gpu in 0 1; do echo "$(TZ=Europe/Berlin date -d "@$t" '+%Y/%m/%d %H:%M:%S'), $gpu, $((200 + gpu)).00 W"; done
    done
} > gpu.csv
for command in power gpus check balance timeline; do gpustat $command gpu.csv 2>&1; done
gpustat power gpu.csv --tz Europe/Berlin --show gpu,runtime_s,energy_j -f csv -q
gpustat gpus gpu.csv --tz UTC --show gpu_serial,energy_j -f csv -q
echo 'step,start,end' > steps.csv
for t in $(seq 1792882800 600 1792896600); do
    echo "$t,$(TZ=Europe/Berlin date -d "@$t" '+%F %T'),$(TZ=Europe/Berlin date -d "@$((t + 600))" '+%F %T')"
done >> steps.csv
gpustat events --events steps.csv 2>&1
gpustat events . --tz Europe/Berlin --show event,n,energy_sum_j -f csv -q
# The same night without the hour twice, and readings of half the time: nothing to ask.
for t in $(seq 1792882800 30 1792893600); do echo "$(date -u -d "@$t" '+%F %T'),200"; done | sed '1i timestamp,power_w' > once.csv
gpustat power once.csv --show energy_j -f csv -q
sed -n '1p;100,$p' once.csv > part.csv
gpustat power part.csv --show energy_j -f csv -q
# A log that begins within that hour: nothing tells which it is.
sed -n '1p;300,$p' gpu.csv > late.csv
gpustat power late.csv --tz Europe/Berlin -q -f csv 2>&1 | head -n 2
