gpustat clusters data/ --by gpu --format csv -q
