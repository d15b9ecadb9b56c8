# Two runs without an event in common: the first line says that nothing is compared, not that nothing changed.
mkdir a b
for run in a b; do
    { echo 'name,start,duration_ms'
      for i in 0 1 2 3; do echo "$run-step,2024-05-01T12:00:0${i}Z,500"; done; } > $run/steps.csv
done
gpustat diff a b -q | head -1
