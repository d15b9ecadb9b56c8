# The lines of the power map are called what the small pictures of the same GPUs are called.
gpustat report data/own -o page -q > files
for figure in gpus fleet; do
    sed 1d "page/figure-$figure.csv" | grep -o 'GPU [01] ([^)]*)' | sort -u
done
