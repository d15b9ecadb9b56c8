gpustat events data/ -q --explain --tolerance 5s --tz +05:30 -f csv | sed "1,/^$/d"
