# 300 and 301 W in turn: whole watts are no two states, and a steady power tells neither work nor idling (without utilisation).
# 300 W and 50 W in turn of a minute are two.
log() { echo 'time,gpu,power_w'; for ((s = 0; s < 600; s++)); do echo "$((1773144000 + s)),0,$(($1))"; done; }
log '300 + s % 2' > steady.csv
log 's / 60 % 2 ? 50 : 300' > turns.csv
for file in steady.csv turns.csv; do
    gpustat power $file -q -f csv --show gpu,active_s,idle_s
    gpustat balance $file -q -f csv --show state,part,time_s
done
# A GPU that works all the time beside one that idles: neither has phases.
{ echo 'time,gpu,power_w,gpu_util_pct'; for ((s = 0; s < 100; s++)); do echo "$((1773144000 + s)),0,$((300 + s % 2)),95"; echo "$((1773144000 + s)),1,50,0"; done; } > two.csv
gpustat report two.csv -o page -q > /dev/null
grep 'all the time' page/report.md
