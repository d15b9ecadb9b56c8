# What runs at once and is not part of one another has equal shares: partial overlaps, users, requests. An epoch's steps are parts of it.
log() { mkdir $1; echo timestamp,gpu_index,power_w > $1/gpu.csv
        for i in $(seq 0 60); do printf '2024-05-01T12:%02d:%02dZ,0,100\n' $((i / 60)) $((i % 60)); done >> $1/gpu.csv; }
event() { printf "$2"'2024-05-01T12:00:%02dZ,2024-05-01T12:00:%02dZ\n' $3 $4 >> $1/events.csv; }
show() { gpustat balance $1 -q --show state,part,inside,time_s,energy_j -f csv; }
for d in overlap users requests epochs; do log $d; done
echo event,start,end > overlap/events.csv
event overlap A, 10 40; event overlap B, 30 50
echo user,name,start,end > users/events.csv
event users ann,train, 10 40; event users bob,eval, 15 21
echo name,request_id,start,end > requests/events.csv
event requests prefill,r1, 10 30; event requests decode,r2, 15 21; event requests decode,r1, 30 40; event requests prefill,r2, 5 15
echo name,task_id,start,end > epochs/events.csv
event epochs epoch,1, 10 50; for s in 1 2 3 4; do event epochs step,$s, $((s * 10)) $((s * 10 + 9)); done
for d in overlap users requests epochs; do echo "-- $d"; show $d; done
