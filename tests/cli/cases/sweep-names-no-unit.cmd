printf '%s\n' app,coreF,memF,time,power a,1,5,1,1 a,2,6,2,2 | gpustat sweep - -f csv
