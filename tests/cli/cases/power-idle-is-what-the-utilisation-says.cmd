# A minute at 60 W and 0 %, one at 200 W and 40 %, one at 600 W and 95 %: the power splits at the third, but the GPU was idle for the
# first alone, as balance has it. Steady power does not hide a pause of the GPU, and a second of work makes no phase.
log()
{
    echo 'timestamp,index,power.draw [W],utilization.gpu [%]'
    for i in $(seq 0 179); do echo "$((1714564800 + i)),0,$1"; shift $(($# > 1 && i % 60 == 59)); done
}
log '60 W,0' '200 W,40' '600 W,95' > three.csv
log '150 W,0' '150 W,90' '150 W,0' | sed 's/^1714564830,0,150 W,0/1714564830,0,150 W,99/' > steady.csv
# Kernels and rests by turns, one sample each: a GPU that works, between pauses and all the time.
flicker() { awk -F, -v OFS=, -v "from=$1" -v "to=$2" 'NR > 1 { $4 = NR > from && NR <= to && NR % 2 ? 100 : 0 } 1' steady.csv; }
flicker 60 121 > some.csv
flicker 0 999 > always.csv
for f in three steady some always; do
    gpustat power $f.csv -q -f csv --show idle_s,active_s,idle_j,active_j
    gpustat power $f.csv -q -f csv --phases --show state,start,duration_s,power_mean_w
    gpustat balance $f.csv -q -f csv --show state,time_s,energy_j
done
