# A log that is named twice, by a link or another spelling too, is one log for power as for every other command.
cp data/power-log.csv a.csv; ln -s a.csv latest.csv; ln a.csv hard.csv; cp a.csv copy.csv
total() { gpustat power "$@" -f csv --show gpu,energy_j 2> err | grep total; grep 'given before' err || :; }
total a.csv
total a.csv ./a.csv latest.csv hard.csv
total *.csv
total a.csv --samples a.csv
mkdir run && mv a.csv run && total run run/
cat copy.csv | total - copy.csv
