# A scheduler's jobs count together under any name, whole or in shards; they are not held against one another unless --event names some.
mkdir run
awk 'BEGIN { print "timestamp,hostname,gpu,power_w"; for (i = 0; i < 60; i++) for (h = 0; h < 4; h++) printf "2025-11-21T10:00:%02dZ,n%d,0,%d\n", i, h, 200 + i % 5 }' > run/gpu.csv
awk 'BEGIN { print "event,host,start,stop,user,state"; for (h = 0; h < 4; h++) for (i = 0; i < 5; i++) printf "%s,n%d,2025-11-21T10:00:%02d.000Z,2025-11-21T10:00:%02d.000Z,u,DONE\n", i % 2 ? "eval" : "train", h, i * 12, i * 12 + (h == 3 ? 11 : 2) }' > run/events.csv
jobs='--set events.attributes.user=user --set events.attributes.state=state'
for c in gpus timeline stragglers; do
    for i in 1 2 3; do gpustat $c run -q $jobs --shard $i/3 --partial $i.state; done
    gpustat merge -q 1.state 2.state 3.state --show default > merged
    gpustat $c run -q $jobs --show default > whole
    cmp merged whole && echo "$c: shards and the whole say the same"
done
gpustat gpus run -q $jobs --show hostname,tasks
gpustat stragglers run -q $jobs --format csv --all | cut -d, -f1,5-7
gpustat stragglers run -q $jobs --event train --format csv --all | cut -d, -f1,5-7
