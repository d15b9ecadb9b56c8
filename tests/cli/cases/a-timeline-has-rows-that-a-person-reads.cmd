# Of a long run a table has rows of a round length, at most 100; the numbers are those of --every. CSV has steps of 10 s.
unset GPUSTAT_SHOW
awk 'BEGIN { print "timestamp,host,gpu,power_w,temp_c"
    for (s = 0; s < 7200; s += 5) for (h = 0; h < 2; h++)
        printf "2024-05-01T%02d:%02d:%02dZ,n%d,0,%d,%d\n", 7 + s / 3600, s % 3600 / 60, s % 60, h, 100 + s % 700 + 9 * h, 40 + s % 33 }' > log.csv
gpustat timeline log.csv -q > shown
head -n 5 shown
gpustat timeline log.csv -q --every 2min | cmp - shown
for i in 1 2; do gpustat timeline log.csv -q --shard $i/2 --partial p$i; done
gpustat merge p1 p2 -q | cmp - shown
gpustat timeline log.csv -q -f csv | wc -l
gpustat timeline log.csv -q --sort energy_j:desc --top 1
