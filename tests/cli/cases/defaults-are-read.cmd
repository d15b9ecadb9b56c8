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
