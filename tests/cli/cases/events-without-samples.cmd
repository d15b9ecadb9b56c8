# A list of steps alone: durations, and what is missing is said once.
for c in events join check; do
    echo "# $c"
    gpustat "$c" data/own/steps.csv -f csv 2> err
    gpustat "$c" data/own/steps.csv -q -f csv > one
    gpustat "$c" data/own/steps.csv -q --shard 1/2 --partial part1
    gpustat "$c" data/own/steps.csv -q --shard 2/2 --partial part2
    gpustat merge -q -f csv part2 part1 | cmp - one && grep -c 'no file holds samples: ' err
done
gpustat events data/own/steps.csv > /dev/null
# the study's names: a directory without gpu.csv
mkdir run && cp data/application-checkpoints.csv data/task-x-y.csv run/
gpustat zoom run -f csv | cut -d, -f 1-3
# what is about GPUs alone needs samples
gpustat gpus data/own/steps.csv
