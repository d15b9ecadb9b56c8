# A header again between the rows, its columns in another order, or a second table of other columns: no row is lost.
cat > same.csv << 'END'
timestamp,gpu,DCGM_FI_DEV_POWER_USAGE,DCGM_FI_DEV_GPU_TEMP
2026-01-01T00:00:00Z,0,100,40
2026-01-01T00:00:01Z,0,101,40
timestamp,gpu,DCGM_FI_DEV_GPU_TEMP,DCGM_FI_DEV_POWER_USAGE
2026-01-01T00:00:02Z,0,40,102
2026-01-01T00:00:03Z,0,40,103
END
printf '%s\n' '#Entity POWER TMPTR' 'ID W C' 'GPU 0 100.0 40' 'GPU 0 101.0 40' '#Entity TMPTR POWER' 'ID C W' 'GPU 0 40 102.0' 'GPU 0 40 103.0' > dmon.txt
printf '%s\n' '#Entity POWER TMPTR' 'ID W C' 'GPU 0 100.0 40' 'GPU 0 101.0 40' '#Entity GPUTL MCUTL' 'ID' 'GPU 0 50 20' 'GPU 0 60 20' > other.txt
for file in same.csv dmon.txt other.txt; do
    gpustat power $file --interval 1 -q -f csv | cut -d, -f 1-5,15; echo ${PIPESTATUS[0]}
    gpustat gpus $file --set samples.time.every=1s --set samples.origin=2026-01-01T00:00:00Z -q -f csv | cut -d, -f 4-6,12; echo ${PIPESTATUS[0]}
done
# Readings of one instant are one, their mean: 100 W, 200 W, 100 W are 300 J, in whichever order the rows stand.
for rows in '1,300 1,100' '1,100 1,300'; do
    { echo epoch_s,gpu,power_w; echo 1700000000,0,100; for row in $rows; do echo "170000000$row" | sed 's/,/,0,/'; done; echo 1700000002,0,100; } > log.csv
    gpustat power log.csv -q -f csv | cut -d, -f 15 | tail -1
    gpustat gpus log.csv -q -f csv | cut -d, -f 12 | tail -1
done
