# Two readings that differ at most instants of a GPU that has no more than a number: two hosts in one log. Not from three
# instants, not where rows only repeat, not for a GPU that a UUID names.
log() # INSTANTS SECOND-READING GPU
{
    echo timestamp,gpu,power_w
    for ((i = 0; i < $1; i++)); do printf '2024-05-01T12:00:%02dZ,%s,%d\n' $i "$3" $((100 + i)) $i "$3" $(($2 + i)); done
}
log 4 300 0 > hosts.csv
log 3 300 0 > short.csv
log 4 100 0 > again.csv
log 4 300 GPU-11111111-2222-3333-4444-555555555555 > uuid.csv
for f in hosts short again uuid; do echo "$f"; gpustat gpus $f.csv 2>&1 > table | grep -o 'GPU.*several readings at most instants' || :; done
