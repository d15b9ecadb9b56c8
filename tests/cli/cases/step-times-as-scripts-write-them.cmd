# A GPU that is idle for 20 s, busy for 40 s, idle again; ten steps of 3 to 5 s, 40 s in all, that begin at 10:00:20.
awk 'BEGIN { print "timestamp, power.draw [W], utilization.gpu [%]"
    for (i = 0; i < 80; i++) printf "2025/11/21 10:%02d:%02d.000, %d W, %d %%\n", i / 60, i % 60, (i >= 20 && i < 60) ? 300 : 60, (i >= 20 && i < 60) ? 98 : 0 }' > smi.csv
awk 'BEGIN { print "step,time_s,loss"; for (i = 0; i < 10; i++) print i "," 3 + (i * 7 + 3) % 5 / 2 "," 3 - i / 10 }' > steps.csv
awk -F, 'NR > 1 { t += $2; printf "{\"step\": %d, \"timestamp\": %.3f, \"step_time\": %s, \"loss\": %s}\n", $1, 1763719220 + t, $2, $3 }' steps.csv > steps.jsonl
awk -F, 'BEGIN { print "timestamp,iteration,iter_time_ms" } NR > 1 { printf "2025-11-21T10:00:%06.3fZ,%d,%d\n", 20 + t, $1, 1000 * $2; t += $2 }' steps.csv > starts.csv
for steps in steps.csv steps.jsonl starts.csv; do
    gpustat events smi.csv $steps -f csv | cut -d, -f 1-3,10,15
    gpustat join smi.csv $steps -f csv -q | cut -d, -f 10-13 | sed -n '2p;11p'
done
echo 'a start that is given counts'
gpustat join smi.csv steps.csv --start 2025-11-21T10:00:30Z -f csv -q | cut -d, -f 11 | sed -n 2p
echo 'without samples, time is relative'
gpustat join steps.csv -f csv | cut -d, -f 10-12 | sed -n '2p;11p'
echo 'a log without idle time has nothing to align with'
grep -v ' 60 W' smi.csv > busy.csv
gpustat events busy.csv steps.csv
echo 'a row without a length would move the rest'
sed '4s/,[^,]*,/,,/' steps.csv > torn.csv
gpustat events torn.csv
