gpustat $'ev\033[31ments\n'
