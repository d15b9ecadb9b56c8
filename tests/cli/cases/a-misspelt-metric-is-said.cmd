# A name of a map that nothing knows is a metric of its own; one like a known one is said. What --set reads, or ignores, is read.
printf 'when,card,node,watts,mhz,pci\n2024-01-01 00:00:00,0,n1,100,1000,3\n2024-01-01 00:00:10,0,n1,200,1100,3\n' > a.csv
tell() { gpustat map a.csv -f csv --tz UTC "$@" 2>&1 > /dev/null | grep -v zone; echo; }
tell
tell --set samples.metrics.sm_clock_mzh=mhz
tell --set samples.metrics.power=watts
tell --set samples.metrics.sm_clock_mhz=mhz
tell --set samples.metrics.pixels=mhz
tell --set samples.ignored=mhz,pci
