# A log and its copy count twice, which power notices whatever it shows, and however they are named. Idle GPUs that are equal
# are none, nor is a log of another hour.
cp data/power-log.csv a.csv; gzip -c a.csv > copy.csv.gz; sed 's/ 13:/ 14:/' a.csv > later.csv
idle() { echo timestamp,index,power.draw; for i in {10..49}; do echo "2024-01-01 00:00:$i,0,20"; done; }
idle > one.csv; idle > two.csv
copies() { echo "$*:"; gpustat power "$@" 2>&1 > /dev/null | grep copy.of; }
for o in '' --metrics --phases --points; do copies a.csv copy.csv.gz $o; done
copies a.csv --samples copy.csv.gz later.csv
copies one.csv two.csv
copies a.csv later.csv
true
