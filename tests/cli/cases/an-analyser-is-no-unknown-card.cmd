# 60 s at 23 W from a power analyser: known but for 1 %; the first and last second may have been any of its readings.
for i in $(seq 10 59); do
    echo "Time,05-01-2024 12:00:$i.430,Watts,23.$((i % 2))0000,Volts,206.70,Amps,0.173,PF,0.319,Mark,test"
done > spl.txt
gpustat power spl.txt -f csv 2>&1 | cut -d, -f 1,12,15-17
