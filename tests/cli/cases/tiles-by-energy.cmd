gpustat tiles data/ --value energy --sort energy_j:desc --top 5
