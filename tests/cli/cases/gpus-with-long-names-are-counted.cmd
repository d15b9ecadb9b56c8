long=$(printf '%0700d' 7)
for gpu in 0 1 2
do
    for second in 0 1 2 3
    do
        echo "{\"ts\":\"2024-01-01T00:00:0${second}Z\",\"node\":\"$long\",\"gpu\":\"$gpu\",\"power_w\":10$second}"
    done
done > samples.jsonl
gpustat map samples.jsonl -q | grep -o '"hosts": [0-9]*, "gpus": [0-9]*'
