# A column that no result can have is refused before files are read: this one is missing, and nobody asks for it.
gpustat events missing/ --show evnt; echo $?
gpustat gpus missing/ --filter 'nonsense>1'; echo $?
gpustat stragglers missing/ --fail-if 'Verdcit!=ok'; echo $?
gpustat zoom missing/ --sort nonsense:desc; echo $?
gpustat tiles missing/ --show nonsense; echo $?
gpustat slurm --folder f -- events missing/ --show evnt; echo $?
gpustat events missing/ --show ,; echo $?
# Patterns, attributes that --by names and names of other results wait for the data.
gpustat events missing/ --by team --show 'team,e*'; echo $?
gpustat events data/ -q --show busy_pct; echo $?
gpustat power nowhere.csv --show enrgy_j
gpustat report nowhere -o page --filter "energie>3"
