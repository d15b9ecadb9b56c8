# A directory and a file elsewhere are one run; what is named twice counts once.
mkdir logs
cp data/own/nvidia-smi.csv logs
cp data/own/steps.csv steps.csv
gpustat events data/own -f csv > whole
gpustat events logs steps.csv -f csv > apart
gpustat events logs/ steps.csv logs logs/nvidia-smi.csv ./steps.csv -f csv > twice
cmp whole apart
cmp whole twice
gpustat map logs steps.csv | grep files
