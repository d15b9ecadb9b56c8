gpustat events data/ --top 1 --color always | grep -c "$(printf "\033")"; NO_COLOR=1 gpustat events data/ --top 1 -q | grep -c "$(printf "\033")"; gpustat events data/ --color always --sort x
