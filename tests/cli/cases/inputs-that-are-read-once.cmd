# What a pipe says is what the file of the same bytes says: by any name, of any form, in passes, from where it stands.
mkdir run && cp data/[at]*.csv run/ && mkfifo fifo
same() { cmp "$1" - && echo same; }
gpustat gpus data/ -f csv -q > gpus
cat data/gpu.csv | gpustat gpus run/ --samples - -f csv -q | same gpus
gpustat gpus run/ --samples <(cat data/gpu.csv) -f csv -q | same gpus
cat data/gpu.csv > fifo & gpustat gpus run/ --samples fifo -f csv -q | same gpus
xz < data/gpu.csv | gpustat gpus run/ --samples /dev/stdin -f csv -q | same gpus
{ read -r; gpustat gpus run/ --samples - -f csv -q; } < <(echo junk; cat data/gpu.csv) | same gpus
{ echo junk; cat data/gpu.csv; } > longer
{ dd bs=5 count=1 of=/dev/null status=none; gpustat gpus run/ --samples - -f csv -q; } < longer | same gpus
gpustat power data/power-log.csv --points -f csv -q > points
cat data/power-log.csv | gpustat power - --points -f csv -q | same points
TMPDIR=/nonexistent gpustat power <(cat data/power-log.csv) --points -f csv -q | same points
gpustat map - < data/power-log.csv | grep -c '"files": \["-"\]'
gpustat power - < /dev/null
gpustat power - <&-
find . -name '*.tmp'
