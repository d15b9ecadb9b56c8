# A trainer's log has steps and what it starts and finishes: one list of events, which the commands find by themselves.
mkdir run
{ echo timestamp,index,power_w; for i in $(seq 0 200); do echo "$((1714564800 + i)),0,300"; done; } > run/gpu.csv
{ for i in $(seq 1 12); do date -u -d "@$((1714564800 + 10 * i))" "+%F %T INFO step $i/12 loss 2.$i"; done
  date -u -d @1714564930 '+%F %T INFO evaluation started'; date -u -d @1714564940 '+%F %T INFO evaluation finished'; } > run/train.log
gpustat run
gpustat events run -q -f csv --show event,n,energy_sum_j
# A logger's level stands between the time and the step.
for message in 'INFO step #/12 loss 2.1' '[INFO] Step #/12, loss: 2.1' 'WARNING step: # loss: 2.1' 'INFO train.py:120 step # loss 2.1'; do
    for i in $(seq 1 12); do date -u -d "@$((1714564800 + 10 * i))" "+%F %T ${message//\#/$i}"; done > level.log
    gpustat events level.log --samples run/gpu.csv -q -f csv --show event,n,energy_sum_j
done
# On two hosts what names none is one event on both, and no task that ran twice.
mkdir two && sed 's/evaluation started/& step=12/; s/evaluation finished/& step=12/' run/train.log > two/train.log
for h in one two; do sed "1s/^/host,/; 1!s/^/$h,/" run/gpu.csv > two/$h.csv; done
gpustat check two -f csv --show severity,finding
