# 64 KiB, for the first thread and for all others; a sanitizer's redzones need more.
if [ -n "${SANITIZED-}" ]; then ulimit -s 256; else ulimit -s 64; fi
gpustat power data/power-log.csv -q > out; echo "$?"
gpustat forest evaluate data/operations.csv > out; echo "$?"
gpustat sweep data/sweep.csv -q > out; echo "$?"
for command in events zoom gpus correlate join bias balance timeline schedule tiles clusters stragglers; do
    gpustat "$command" data/ -q > out || echo "$command: $?"
done
