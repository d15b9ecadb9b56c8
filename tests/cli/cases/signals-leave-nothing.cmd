# A signal while a temporary file is there, and while gnuplot draws: both go with the process.
mkfifo gpu.pipe # waited for when the file of rejects is there, as nothing is to be found out about it
echo '{"schema": "gpustat.map/1", "sources": [{"role": "samples", "files": ["gpu.pipe"], "time": "timestamp",
    "metrics": {"power_w": "powerDrawWatt"}}]}' > map.json
mkdir bin && printf '#!/bin/sh\necho $$ > pid.tmp; mv pid.tmp pid; exec sleep 100\n' > bin/gnuplot && chmod +x bin/gnuplot
gone() { for _ in $(seq 5000); do kill -0 "$1" 2> /dev/null || return 0; sleep 0.02; done; return 1; }
for name in TERM INT HUP PIPE; do
    # bash has background jobs ignore SIGINT; env gives it back.
    env --default-signal=INT gpustat gpus --map map.json --rejects r.csv > out 2> err &
    exec 3> gpu.pipe
    for _ in $(seq 9000); do ls .gpustat-*.tmp > /dev/null 2>&1 && break; sleep 0.01; done
    ls .gpustat-*.tmp > /dev/null 2>&1 || echo "no temporary file"
    kill -"$name" $!
    wait $! 2> /dev/null
    echo "$name: $? $(cat out err) $(find . -name '*.tmp')"
    exec 3>&-
done
for name in TERM INT HUP PIPE KILL; do
    rm -f pid
    PATH=$PWD/bin:$PATH env --default-signal=INT gpustat events data/ -q --plot x.svg > out 2> err &
    for _ in $(seq 9000); do [ -e pid ] && break; sleep 0.01; done
    kill -"$name" $!
    wait $! 2> /dev/null
    echo "$name while drawing: $? $(cat out err)"
    gone "$(cat pid)" || echo "gnuplot is still there"
    [ "$name" = KILL ] || find . -name '*.tmp'
done
