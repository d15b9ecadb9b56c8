# Nearest, as published, for the study's own files; window for any other, where energy_mean_j and samples_mean say so.
for run in data data/own; do
    gpustat events "$run" -f csv -q | head -n 1 | grep -o 'samples_mean' || echo nearest
done
# The state of a shard records it: merge has no files to ask.
gpustat events data/own --partial all.state -q
gpustat merge all.state -f csv -q > merged.csv
gpustat events data/own -f csv -q | cmp - merged.csv && echo same
gpustat events data/own --join nearest --partial other.state -q
gpustat events data/own --explain -q 2> /dev/null | grep -o "window$"
