gpustat completion bash 'x; rm -rf'
