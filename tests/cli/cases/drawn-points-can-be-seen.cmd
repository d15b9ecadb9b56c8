LC_ALL=C.UTF-8 gpustat schedule data/ -q --plot - -o r.csv | sed -n '4,10p'
gpustat clusters data/ -q --plot - -o r.csv | grep group
