# Twelve events of 2 s each have no distribution to draw; where one of them lasts 1 s, they have.
mkdir run
{ echo 'timestamp,index,power.draw [W]'; for i in $(seq 0 40); do printf '2026/03/01 10:00:%02d.000, 0, 100.00 W\n' "$i"; done; } > run/gpu.csv
steps() { echo event,start,stop; for i in $(seq 0 11); do printf 'a,2026-03-01 10:00:%02d,2026-03-01 10:00:%02d\n' $((3 * i)) $((3 * i + 2)); done; }
steps > run/steps.csv
gpustat report run -q -o equal > /dev/null && ls equal | grep -c figure-durations
steps | sed '$s/33,/34,/' > run/steps.csv
gpustat report run -q -o differ > /dev/null && ls differ | grep figure-durations
