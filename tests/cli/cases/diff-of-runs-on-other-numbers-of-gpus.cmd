# Half the time a step on twice the GPUs is no better program: how many each run had is said.
for n in 2 4; do
    mkdir run$n
    awk -v n=$n 'BEGIN { print "time,gpu,power_w"; for (i = 0; i < 60; i++) for (g = 0; g < n; g++) printf "2026-01-01T00:00:%02d.5Z,%d,300\n", i, g }' > run$n/smi.csv
    awk -v n=$n 'BEGIN { print "event,start,stop"; d = 8 / n; for (t = 1; t + d < 59; t += d) printf "step,2026-01-01T00:00:%06.3fZ,2026-01-01T00:00:%06.3fZ\n", t, t + d }' > run$n/steps.csv
done
gpustat diff run2 run2 2>&1 | grep -c '^- A run'
gpustat diff run2 run4 2>&1 | grep -E '^B|^- A'
