printf 'duplicate-samples\n\nmissing-tile\n' > known
gpustat check data/ --accept duplicate-checkpoints,duplicate-sample
echo "status $?"
gpustat check data/ --accept 'x"y'
echo "status $?"
gpustat check data/ --accept-file known
echo "status $?"
gpustat check data/ --accept-file none
echo "status $?"
