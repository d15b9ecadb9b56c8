# Two columns make an instant, whatever they are called: a date, and the only times of day whose name says nothing else.
rows() { for i in 0 1 2; do printf "$1"'\n' "$i"; done; }
{ echo 'Datum;Uhrzeit;GPU;Leistung in Watt'; rows '23.05.2026;23:59:5%d;0;100,0'; } > de.csv
{ echo 'fecha;hora;potencia_W'; rows '25/05/2026;00:20:0%d;100,0'; } > es.csv
{ echo 'Date;Heure;Puissance (W)'; rows '25/05/2026;10:20:0%d;100,0'; } > fr.csv
for f in de es fr; do gpustat power $f.csv -q -f csv --show rows,runtime_s,energy_sensor_j | head -n 2; done
gpustat map es.csv -q | grep '"time"'
# What is called a length is none, and of two times of day neither is.
{ echo 'date;elapsed;power_w'; rows '2026-05-25;00:20:0%d;100.0'; } > elapsed.csv
{ echo 'fecha;hora;otra;potencia_W'; rows '25/05/2026;00:20:01;00:20:0%d;100,0'; } > two.csv
gpustat map elapsed.csv -q | grep '"time"'
gpustat map two.csv -q | grep '"time"'
