# Samples and events that do not overlap in time: what is proposed works.
mkdir run
printf '%s\n' time,gpu,power_w 2026-05-01T10:00:00Z,0,100 2026-05-01T10:00:10Z,0,120 2026-05-01T10:00:20Z,0,110 > run/gpu.csv
printf '%s\n' name,start,stop train,2026-01-01T10:00:00Z,2026-01-01T11:00:00Z > run/spans.csv
gpustat run
gpustat run -q | sed -n 's/^  \(gpustat .*\)/\1/p' | sed 's/   *.*//' | while read -r line; do
    $line -q > said 2>&1
    echo "$? $line"
done
