gpustat power data/ -q -f csv | cut -d, -f 1-3,12,15-18 | sed -n '1,3p;$p'
