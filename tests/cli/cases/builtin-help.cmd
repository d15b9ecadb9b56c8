gpustat completion --help; gpustat help version
