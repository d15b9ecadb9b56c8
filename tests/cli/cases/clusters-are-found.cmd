gpustat clusters data/
