# --from and --to: samples inside count, events are cut, energy is that of the window; a wrong time is refused.
cat > samples.csv <<'X'
timestamp,index,power.draw [W]
2026-03-28T23:00:00Z,0,100
2026-03-28T23:30:00Z,0,200
2026-03-29T00:00:00Z,0,200
2026-03-29T00:30:00Z,0,100
X
cat > sacct.txt <<'X'
JobID|User|NodeList|Start|End|State|AllocTRES
7|ada|samples|2026-03-28T23:10:00Z|2026-03-29T00:20:00Z|COMPLETED|gres/gpu=1,node=1
X
echo "== the whole, and two parts of it"
for range in "" "--to 2026-03-28T23:40Z" "--from 2026-03-28T23:40:00Z"; do
    gpustat gpus samples.csv $range -f csv -q --show samples,energy_j,coverage_pct
done
echo "== a length of time from the start or before the end, a time of day, a day, in a zone"
gpustat gpus samples.csv --from +30m --to -10m --show samples,energy_j
gpustat gpus samples.csv --tz Europe/Berlin --from 00:45 --show samples,energy_j
gpustat gpus samples.csv --tz Europe/Berlin --from 2026-03-29 --show samples,energy_j
echo "== jobs are cut at both borders, and divided over days and hours"
gpustat jobs sacct.txt samples.csv --from 2026-03-28T23:20:00Z --to 2026-03-29T00:10:00Z --show job,start,stop,wall_h,energy_j,cut
gpustat jobs sacct.txt samples.csv --by day -f csv --show day,jobs,wall_h,energy_j
gpustat jobs sacct.txt samples.csv --by day --tz Europe/Berlin --show day,jobs,wall_h,energy_j
gpustat jobs sacct.txt samples.csv --by hour --tz Europe/Berlin -f csv -q --show hour,jobs,energy_j
echo "== days of timeline begin at the zone's midnight"
gpustat timeline samples.csv --every 24h --tz Europe/Berlin -f csv -q --show time,energy_j
gpustat timeline samples.csv --every 24h -f csv -q --show time,energy_j
echo "== what is refused"
gpustat gpus samples.csv --from banana
gpustat gpus samples.csv --from 2026-03-29T00:10:00Z --to 2026-03-28T23:40:00Z
gpustat gpus samples.csv --from 2026-04-01
gpustat gpus samples.csv --from +10m --shard 1/2
gpustat power samples.csv --from yesterday
gpustat map samples.csv --from +10m
exit 0
