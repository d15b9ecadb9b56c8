# Rows that end behind their time say nothing: every command passes over them, and says how many. What has more is broken.
{
    echo timestamp,device,power_watts
    for t in 1754586662 1754586667 1754586672; do printf "$t,card0,154\n$t,card1,145\n$t,\n"; done
} > short.csv
for command in power gpus; do gpustat $command short.csv --show energy_j -f csv 2>&1 | grep -v -e uncertain -e sensor; done
gpustat check short.csv -q --show finding,count -f csv
gpustat power short.csv --rejects r.txt --show energy_j -f csv -q
cat r.txt
gpustat short.csv -q | tail -n 3
printf '1754586677,card0\n1754586677,card1,150\n' >> short.csv
gpustat gpus short.csv 2>&1
