gpustat clusters data/ --k 15
