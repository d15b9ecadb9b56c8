gpustat diff data data
# One other reading: what its events' samples miss does not cancel.
cp -r data/. b
awk -F , -v OFS=, 'NR == 5000 { $5 += 1 } 1' data/gpu.csv > b/gpu.csv
gpustat diff data b -q --measure energy --format csv | cut -d , -f 1,2,10-12,16
