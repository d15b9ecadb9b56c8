gpustat help correlte
