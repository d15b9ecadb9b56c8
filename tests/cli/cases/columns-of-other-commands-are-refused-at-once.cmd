# Before a file is looked for: a column that only other commands have, under its heading too.
unset GPUSTAT_SHOW
for words in 'events --show tail_s' 'gpus --show verdict' 'zoom --sort event' 'schedule --filter energy_sum_j>3' \
    'timeline --fail-if slowdown_pct>3' 'events --show task_verdict' 'schedule --show gap_cost' 'stragglers --show task_verdict' \
    'events --by=team --show team,n'; do
    gpustat ${words%% *} nowhere ${words#* } 2>&1 | head -n 1 | cut -c 1-90
done
gpustat events data --by hots
gpustat stragglers data -q --show task_verdict,hostname | tail -n 1
