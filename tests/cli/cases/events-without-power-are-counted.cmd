# A mean over fewer pairs than there are says so: 276 of Saving Config, 132 of Tiling, 120 of Uploading are too short.
gpustat bias data/ -q -f csv | awk -F, 'NR > 1 { n += $2; without += $2 - $3 } END { print without, "of", n }'
gpustat events data/ --join window --duplicates drop -f csv > /dev/null
gpustat events data/ --tolerance 1ms --event Tiling -f csv > /dev/null
