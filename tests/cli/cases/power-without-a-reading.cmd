printf 'timestamp,power.draw [W]\n1,[N/A]\n2,[N/A]\n' | gpustat power -
