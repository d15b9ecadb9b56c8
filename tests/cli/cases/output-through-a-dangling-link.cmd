# As `>` would: the link stays, and what it names is made.
mkdir elsewhere && ln -s elsewhere/new.csv first && ln -s first second
gpustat zoom data/ -q -f csv -o second && readlink first second && head -n 1 elsewhere/new.csv | cut -c 1-20
ln -s nowhere/x.csv lost
gpustat zoom data/ -q -f csv -o lost
ln -s b a && ln -s a b
gpustat zoom data/ -q -f csv -o a
ls
