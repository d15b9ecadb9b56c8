# Two exports of one log that overlap: their files are taken for hosts, but a GPU is in one. Told to be one, equal rows count once.
for f in a b; do echo "time,uuid,power_w" > $f.csv; done
for i in 10 11 12 13 14 15 16 17 18 19 20 21; do
    row="2025-03-04 09:30:$i,GPU-abc0,$((100 + i))"
    [ $i -lt 18 ] && echo "$row" >> a.csv
    [ $i -ge 14 ] && echo "$row" >> b.csv
done
mkdir run; mv a.csv b.csv run
gpustat power run -f csv --show gpu,energy_sensor_j 2>&1 | grep -v note
gpustat power run -f csv --show gpu,energy_sensor_j --set samples.host= 2>&1 | grep -v note
# A GPU whose samples name two jobs, one after the other, is on one host.
awk 'BEGIN { print "time,host,uuid,job,power_w"; for (i = 0; i < 20; i++) printf "2024-05-01T12:00:%02dZ,n1,GPU-aaaaaaaa-1111-2222-3333-444444444444,%d,%d\n", i, i / 10, 100 + i }' > jobs.csv
gpustat gpus jobs.csv 2>&1 > table | grep -c 'such GPUs' || :
