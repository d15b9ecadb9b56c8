# A table in the folder that no part of the answer is from is named beside it; not what was told to be another's, and no text.
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
mkdir run
cp data/own/* run/
cp run/nvidia-smi.csv note.md
cp note.md run/README.md
gpustat events run --show event,n
for name in a b c d; do printf 'when,what\n1,x\n2,y\n' > run/$name.csv; done
gpustat events run --show event,n
gpustat events run --show event,n -q
gpustat run | sed '1,/^$/d'
gpustat map run 2>&1 > /dev/null
rm run/[b-d].csv
gpustat power run -f csv 2>&1 > /dev/null
# Two lists of one run's steps: nothing is missed by the one.
for k in 1 2 3 4 5 6; do echo "$k,2025-03-04T09:30:$((10 + 3 * k))Z,2"; done > rows
{ echo step,timestamp,step_time; cat rows; } > run/steps.csv
sed 's/\(.*\),\(.*\),2/{"step": \1, "timestamp": "\2", "step_time": 2}/' rows > run/steps.jsonl
rm run/a.csv
gpustat events run --show event,n
