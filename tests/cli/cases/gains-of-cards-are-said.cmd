# Energies whose readings were corrected by the table of cards say so, whole, merged and of several cards; not where a
# sensor was given.
log() # NAME
{
    echo 'timestamp, name, index, power.draw [W]'
    for k in {10..49}; do echo "2024/05/01 12:00:$k.000, $1, 0, 100.00 W"; done
}
mkdir nodes; log 'NVIDIA GeForce RTX 3090' > nodes/n1.csv
printf 'name,start,stop\nrun,2024-05-01T12:00:12Z,2024-05-01T12:00:40Z\n' > spans.csv
said() { "$@" 2>&1 > /dev/null | grep 'table of cards'; }
for question in events gpus balance join; do said gpustat $question --samples nodes/n1.csv --events spans.csv --tz UTC; done
gpustat gpus --samples nodes/n1.csv --events spans.csv --tz UTC -q -f csv | cut -d, -f 1,5,12
gpustat gpus --samples nodes/n1.csv --events spans.csv --tz UTC -q --partial whole.state; said gpustat merge whole.state
said gpustat gpus --samples nodes/n1.csv --events spans.csv --tz UTC --sensor gain=1,offset=0
log 'Some other card' > nodes/n2.csv; said gpustat gpus --samples nodes/n1.csv --samples nodes/n2.csv --events spans.csv --tz UTC
