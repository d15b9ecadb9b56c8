ln -s "$(command -v gpustat)" my-gpustat
./my-gpustat evnts
ln -s "$(command -v gpustat)" 'x;touch pwned'
'./x;touch pwned' events data/ --jion window
