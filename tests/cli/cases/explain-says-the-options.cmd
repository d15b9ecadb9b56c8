gpustat events data/ -q --explain --tolerance 5s --tz +05:30 -f csv | grep ^options
