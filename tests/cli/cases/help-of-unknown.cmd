gpustat help evnts
