# What repeats is called by its name: steps are no tasks, a scheduler's jobs neither; short ones are in milliseconds.
gpus() { awk 'BEGIN { print "timestamp,hostname,gpu,power_w"; for (i = 0; i < 60; i++) for (g = 0; g < 2; g++) printf "2025-11-21T10:00:%02dZ,n0,%d,%d\n", i, g, 200 + i % 5 }'; }
mkdir run && gpus > run/gpu.csv
awk 'BEGIN { print "event,host,start,stop"; for (i = 0; i < 20; i++) printf "train_step,n0,2025-11-21T10:00:%02d.000Z,2025-11-21T10:00:%02d.120Z\n", i, i }' > run/events.csv
gpustat gpus run -q --show default
gpustat timeline run -q --every 30s --show default
awk 'BEGIN { print "event,host,start,stop,user,state"; for (i = 0; i < 4; i++) printf "job%d,n0,2025-11-21T10:00:%02d.000Z,2025-11-21T10:00:%02d.000Z,u,DONE\n", i, i * 12, i * 12 + 10 }' > run/events.csv
gpustat gpus run -q --set events.attributes.user=user --set events.attributes.state=state --show default
gpustat stragglers run --set events.attributes.user=user --set events.attributes.state=state 2>&1 | grep 'not equal'
