# A sweep is grouped by a column of words whatever its name, and is one group without such a column.
printf '%s\n' kernel,clock,time_ms,power a,1000,10,100 a,1500,7,150 b,1000,9,110 b,1500,8,140 > words.csv
cut -d, -f2- words.csv > numbers.csv
for file in words numbers; do gpustat sweep $file.csv -f csv --show group,best_frequency_mhz,energy_saved_pct; done
