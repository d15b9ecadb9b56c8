gpustat join data/ --event 'saving config'
