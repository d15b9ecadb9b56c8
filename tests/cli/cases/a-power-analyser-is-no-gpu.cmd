# The log of a power analyser, which measures a whole node: its watts are no GPU's.
for s in 0 1 2 3 4 5 6 7 8 9; do
    echo "Time,07-30-2022 04:40:0$s.000,Watts,1$s.000000,Volts,206.7,Amps,0.17,PF,0.3,Mark,test"
done > spl.txt
gpustat report spl.txt -o r -q --tz UTC -f csv > /dev/null
sed -n '3,8p' r/report.md
grep -o '[A-Z][A-Za-z ]* draws most' r/report.md
ls r/*.svg
