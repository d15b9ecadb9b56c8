gpustat completion tcsh
