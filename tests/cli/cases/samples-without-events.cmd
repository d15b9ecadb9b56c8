# A log of the GPUs alone: what it can say is said, and what is missing is said once.
for c in gpus balance clusters check timeline; do
    echo "# $c"
    gpustat "$c" data/own/nvidia-smi.csv -f csv 2> err | cut -c 1-150
    for i in 1 2 3; do
        gpustat "$c" data/own/nvidia-smi.csv -q --shard "$i/3" --partial "part$i"
    done
    gpustat "$c" data/own/nvidia-smi.csv -q -f csv > one
    gpustat merge -q -f csv part3 part1 part2 | cmp - one && grep -c 'no file holds events: ' err
done
gpustat clusters data/own/nvidia-smi.csv > /dev/null
# what is about events alone needs them
gpustat correlate data/own/nvidia-smi.csv
