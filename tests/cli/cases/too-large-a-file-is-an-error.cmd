# SIGXFSZ would leave the temporary file behind.
ulimit -f 8
gpustat join data/ -q -o x.csv
echo "$?" "$(ls -A)"
