gpustat tiles data/ --level 4 --value host --format csv -q
