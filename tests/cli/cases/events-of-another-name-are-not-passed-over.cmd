# A command that can do without events must find those that `join` finds.
mkdir run
cp data/gpu.csv run/gpu.csv
printf 'event,start,stop,hostname,task\nrender,2018-11-08T07:42:00Z,2018-11-08T07:50:00Z,%s,1\n' \
    "$(sed -n 2p data/gpu.csv | cut -d, -f2 | tr -d '"')" > run/spans.csv
gpustat balance run -q -f csv | cut -d, -f1-3,7
gpustat split run -o parts --parts 2 -q > /dev/null
gpustat balance parts -q -f csv | cut -d, -f1-3,7
