mkdir d; cp data/*.csv d; sed -i '5s/,[0-9.]*$/,many/; 9s/$/,1/' d/gpu.csv
for c in events zoom gpus correlate summary join check; do gpustat $c d -j 7; echo $?; done
gpustat events d --rejects bad.csv -f csv -n 1 | cut -d, -f 1,2; cut -d, -f 1-3 bad.csv
gpustat check d --rejects bad.csv -f csv | head -n 2; gpustat summary d --rejects /dev/null -q -f csv | grep rejected
gpustat events d --rejects no/such/bad.csv; echo $?
