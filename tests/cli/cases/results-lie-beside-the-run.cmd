# What gpustat wrote into the folder of a run is no second log: a report, and tables that were saved there.
mkdir run && cp data/own/* run && cd run || exit
gpustat report . -o report -q > out
for c in gpus power timeline jobs balance join stragglers; do gpustat $c . -f csv -q > out && mv out "$c.csv"; done
gpustat gpus . -f csv -q | cmp - gpus.csv && echo "same"
gpustat map . 2> err | grep -E '"files"|a (result|report) of gpustat'
gpustat gpus --samples power.csv
echo $?
# A folder that holds a file of that name only is no report.
mkdir other && echo "name,size" > other/files.csv && mv nvidia-smi.csv other && gpustat gpus . -f csv -q | cmp - gpus.csv && echo "same"
