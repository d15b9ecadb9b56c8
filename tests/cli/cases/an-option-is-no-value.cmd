# The value of an option may look like another option; what a default asks for stays a default.
unset GPUSTAT_VERBOSE
GPUSTAT_SHOW=gpu_h gpustat events data/ -q --top 1 --title --show
GPUSTAT_SHOW=gpu_h gpustat events data/ -q --top 1 --show gpu_h
