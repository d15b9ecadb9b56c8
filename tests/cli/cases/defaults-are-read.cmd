unset GPUSTAT_SHOW GPUSTAT_VERBOSE
mkdir -p run "$HOME/.config"
cp data/own/* run/
echo 'price = 0.10/kWh' > "$HOME/.config/gpustat.ini"
gpustat power data/power-log.csv -q --show gpu,cost -f csv
gpustat power data/power-log.csv -q --show gpu,cost -f csv --price 0.20/kWh
GPUSTAT_PRICE=0.30/kWh gpustat power data/power-log.csv -q --show gpu,cost -f csv
rm "$HOME/.config/gpustat.ini"
GPUSTAT_PRICE=0.30/kWh gpustat power data/power-log.csv -q --show gpu,cost -f csv
printf '# of this run\nshow = event,n\n' > run/gpustat.ini
gpustat events run -q
GPUSTAT_SHOW=all gpustat events run -q --show n
echo 'output = /etc/passwd' >> run/gpustat.ini
gpustat events run -q
printf 'verbose = maybe\n' > run/gpustat.ini
gpustat events run -q
printf 'pue = 1.2\nprice = cheap\n' > run/gpustat.ini
gpustat events run -q
# However many lines stand there, and whatever editor wrote them: the last one counts, and nothing is passed over.
mkdir ini && cp data/power-log.csv ini
price() { gpustat power ini -q --show gpu,cost -f csv 2>&1 | grep -E '^total|^gpustat:' | cut -c 1-80; }
for k in {1..99}; do echo 'price = 0.10/kWh'; done > ini/gpustat.ini
echo 'price = 0.20/kWh' >> ini/gpustat.ini && price
printf '\357\273\277price = 0.20/kWh\r\n' > ini/gpustat.ini && price
printf 'price = 0.20/kWh\n' | iconv -t UTF-16 > ini/gpustat.ini && price
printf 'price = 0.20/kWh\0 per year\n' > ini/gpustat.ini && price
printf 'price = 0.2%02000d/kWh\n' 0 > ini/gpustat.ini && price
