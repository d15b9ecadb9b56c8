# A column goes by its name without the unit, too.
gpustat power data/own/nvidia-smi.csv --power-column power.draw -q -f csv > a
gpustat power data/own/nvidia-smi.csv --power-column 'power.draw [W]' -q -f csv > b
cmp a b && cut -d, -f 1-4 a
gpustat power data/own/nvidia-smi.csv --power-column power.draw.instant
