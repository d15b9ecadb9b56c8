# A length of time that leads out of what a time can be is an error of its row.
printf 'name,start,elapsed\na,2024-05-01T12:00:00Z,999999-00:00:00\n' > e.csv
gpustat events e.csv -f csv
printf 'name,start,duration_s\na,2261-05-01T12:00:00Z,9000000000\n' > f.csv
gpustat events f.csv -f csv
