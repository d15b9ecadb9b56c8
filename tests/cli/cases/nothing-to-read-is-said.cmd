# Nothing is asked about, nothing is there, or not what the command needs: said with what to type.
mkdir empty
for ask in events report split 'events --gpu data/gpu.csv' 'events empty' 'gpus empty' 'split empty -o out' 'events --checkpoints - --gpu -'; do
    gpustat $ask < /dev/null 2> err; echo "$? $(head -n 1 err)"
done
