# What a run is decides its default join, not how its map was found: detected, written by map, or from files that are named.
mkdir run
cp data/application-checkpoints.csv data/gpu.csv data/task-x-y.csv run
gpustat events run -q -f csv > detected
cut -d, -f 1,2,10 detected | head -2
gpustat map run -o run/gpustat.json
for run in run 'run/gpu.csv run/application-checkpoints.csv' '--checkpoints run/application-checkpoints.csv --gpu run/gpu.csv'; do
    gpustat events $run -q -f csv | cmp - detected && echo same
done
# The same rows under other names are somebody else's.
mkdir other
cp run/gpu.csv other
sed '1s/eventName/event/; 1s/eventType/phase/' run/application-checkpoints.csv > other/application-checkpoints.csv
gpustat events other -q -f csv | cut -d, -f 1,2,10 | head -2
