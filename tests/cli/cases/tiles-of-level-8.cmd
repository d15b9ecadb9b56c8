gpustat tiles data/ --level 8 --value cluster --format csv -q
