gpustat events data/ --duplicates drop --join window --tolerance 1s --ties later --event Render -f csv > /dev/null
gpustat zoom data/ --duplicates drop --max-gap 5s -f csv > /dev/null
gpustat join data/ --duplicates drop --join backward --ties later -f csv > /dev/null
