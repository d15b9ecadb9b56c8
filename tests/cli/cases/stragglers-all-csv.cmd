gpustat stragglers data/ --all --hot 85 --fdr 0.01 --format csv -q
