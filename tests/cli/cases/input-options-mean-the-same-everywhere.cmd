# power has the options of all others, and all others those of power.
printf 'timestamp,index,power.draw [W],power.draw.average [W],power.draw.instant [W],board\n' > smi.csv
for k in 0 1 2 3; do printf '2026-01-01 00:00:0%s,0,100,200,300,400\n' $k >> smi.csv; done
printf '2026-01-01 00:00:03,0,100,200,300,400\n2026-01-01 00:00:04,0,1OO,200,300,400\n' >> smi.csv
energies()
{
    echo "$* : $(gpustat power smi.csv "$@" -q -f csv | cut -d, -f 1,2,5 | tail -n 1)" \
        "$(gpustat gpus smi.csv "$@" -q -f csv | cut -d, -f 5,12 | tail -n 1)"
}
for column in draw average instant board 'power.draw.instant [W]' power.draw.average; do
    energies --duplicates drop --rejects bad.csv --power-column "$column"
done
cat bad.csv
energies --duplicates drop --rejects bad.csv --power-column board --set samples.metrics.power_w.unit=mW
energies --duplicates drop --rejects bad.csv --power-column draw --max-gap 500ms
energies --duplicates drop --rejects bad.csv --power-column draw --sensor gain=0.5
printf '2026-01-01 00:00:00,100\n2026-01-01 00:00:01,100\n' > bare.csv
gpustat gpus bare.csv --columns timestamp,power -q -f csv | cut -d, -f 5,12
gpustat map bare.csv --columns timestamp,power -q | grep -E 'columns|power'
gpustat gpus smi.csv --power-column no_such
