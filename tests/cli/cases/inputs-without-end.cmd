# What may have no end, and what is no state however large, is refused at once.
gpustat map /dev/zero
echo $?
gpustat power /dev/urandom
echo $?
gpustat events data/ --map /dev/zero
echo $?
gpustat power - < /dev/zero
echo $?
truncate -s 100G large.state
# (A sanitizer reserves more address space than any bound leaves.)
([ -n "${SANITIZED-}" ] || ulimit -v 400000; gpustat merge large.state)
echo $?
gpustat power /dev/null
echo $?
# A pipe is kept until its end; one line again and again has none.
yes a | gpustat gpus -
echo $?
mkfifo pipe && cat /dev/zero > pipe & sleep 0.1; gpustat power pipe
echo $?
# Two lines again and again are no reason: merge says what is wrong with the whole.
{ yes b | head -c 200M; yes c | head -c 200M; } | gpustat merge -
echo $?
# Nor is a FIFO waited for, or a device read, that is called as what may lie beside the files.
for name in gpustat.ini gpustat.json split.json files.csv; do
    for kind in "mkfifo" "ln -s /dev/zero" "mkdir"; do
        rm -rf run && mkdir run && cp data/gpu.csv run && $kind run/$name
        timeout 20 gpustat gpus run -q -f csv | wc -l
        timeout 20 gpustat map run -q > /dev/null || echo $?
    done
done
