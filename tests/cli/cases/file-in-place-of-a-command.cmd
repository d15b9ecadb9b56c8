gpustat data/own/nvidia-smi.csv
