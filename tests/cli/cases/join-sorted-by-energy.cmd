gpustat join data/ --join window --event Render --sort energy_j:desc --top 3 -f csv -q
