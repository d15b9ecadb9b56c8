for c in "check data/" "summary data/" "map data/own" "split data/ -o parts" "events data/ --by event,level,host"; do
    gpustat $c -q --plot f.svg > /dev/null 2> err; echo "$?: $(head -n 1 err)"
done
ls f.svg 2> /dev/null
command -v gnuplot > /dev/null || { printf '4\n2\n'; exit; }
for by in level event,level; do gpustat events data/ -q --by $by -f gnuplot | grep -c '^plot'; done
