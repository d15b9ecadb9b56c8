printf '%s\n' kernel,victims,co_runners,time_ms a,1,0,10 a,1,one,20 | gpustat crosstalk -
