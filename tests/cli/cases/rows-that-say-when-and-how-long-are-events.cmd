# An instant and a length in each row: what was done, over at that instant; jobs that only say when they ended; other names of lengths and ends.
{ echo timestamp,stage,duration_s
  for k in 0 1 2; do printf '2026-09-12T06:1%s:10,load,3.5\n2026-09-12T06:1%s:40,train,12\n' $k $k; done; } > stages.csv
gpustat events stages.csv -q -f csv --show event,n,duration_mean_ms
gpustat map stages.csv 2> /dev/null | grep -E '"stop"|"from"'
gpustat map stages.csv --set events.stop= --set events.start=timestamp 2> /dev/null | grep -E '"start"|"from"'
for k in 0 1 2; do
    echo "{\"timestamp\": $((1789193840 + 2 * k)).5, \"endpoint\": \"/v1/chat\", \"status\": 200, \"latency_ms\": $((1500 - 100 * (k % 2)))}"
done > requests.jsonl
gpustat events requests.jsonl -q -f csv --show event,n,duration_mean_ms
{ echo 'JobID|Elapsed|NCPUS|State|End|JobName'; echo '7|00:30:00|8|COMPLETED|2026-09-12T07:00:00|train'; } > jobs.txt
gpustat events jobs.txt -q -f csv --show event,n,duration_mean_ms
{ echo epoch,train_loss,sec; for k in 1 2 3 4; do echo "$k,1.$k,$((30 - k % 2))"; done; } > epochs.csv
gpustat events epochs.csv -q -f csv --show event,n,duration_mean_ms
{ echo workload,start_unix,end_unix,avg_power_w; echo gemm,1789193846,1789193850,250; } > runs.csv
gpustat events runs.csv -q -f csv --show event,n,duration_mean_ms
# All of one length are no clock.
{ echo timestamp,stage,duration_s; for k in 0 1 2; do printf '2026-09-12T06:1%s:10,load,2.0\n2026-09-12T06:1%s:40,train,2.0\n' $k $k; done; } > even.csv
gpustat events even.csv -q -f csv --show event,n,duration_mean_ms
# Requests at once, which are called by their path where it comes again; that some start nearly together is chance.
{ echo timestamp,method,path,status,latency_ms
  for k in 10 11 12 13 14 15 16 17; do echo "2026-09-12T06:10:$k.$((k * 37 % 10))00Z,POST,/v1/chat,200,$((1500 + k * 397 % 900))"; done; } > access.csv
gpustat events access.csv -v -f csv --by event,method --show n,duration_mean_ms 2>&1
sed 's/method,path/client,id/; s/POST,.v1.chat/c1,r-/; s/r-/&\n/; ' access.csv | awk 'sub(/r-$/, "r-" ++n) { printf "%s", $0; next } 1' > ids.csv
gpustat events ids.csv -q -f csv --show event,n,duration_mean_ms
# Lengths of steps without a unit are in the largest in which the steps fit between their instants: 4500 ms, 4500000 us, 4500 s.
for unit in 4.5:4500 4.5:4500000 4500:4500; do
    awk -v apart=${unit%:*} -v length_=${unit#*:} 'BEGIN { print "step,time,step_time"; for (i = 1; i < 20; i++) printf "%d,%.1f,%d\n", i, 1789193840 + i * apart, length_ - i % 3 }' > steps.csv
    gpustat events steps.csv -v -f csv --show event,n,duration_mean_ms 2>&1 | grep -v 'hidden\|no file\|by their size'
done
