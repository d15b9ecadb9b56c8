# Warnings, an echoed command or a torn row above sacct's header, and broken lines within: job events all the same.
exec 2>&1
row() { echo "$1|a|u|COMPLETED|2024-05-01T12:0$1:00|2024-05-01T12:1$1:00|00:10:00|gres/gpu=2|n1"; }
head='JobID|JobName|User|State|Start|End|Elapsed|AllocTRES|NodeList'
{ echo 'sacct: warning: slurmdbd is slow'; row 9 | cut -c 1-30; echo "$head"; row 1; echo '3|x'; row 2; echo '1|2|3|4|5|6|7|8|9|10|11'; } > bars.txt
{ echo '$ sacct'; printf '%12s %10s %19s %19s\n' JobID JobName Start End '------------' '----------' '-------------------' '-------------------' 1 a 2024-05-01T12:00:00 2024-05-01T12:10:00; } > wide.txt
for f in bars.txt wide.txt; do
    gpustat map $f | grep -E 'form|found'
    gpustat events $f -q -f csv | cut -d, -f 1-3
done
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "line $k"; done > none.txt
{ cat none.txt; echo "$head"; row 1; } > far.txt
gpustat events far.txt --set events.form=sacct
gpustat events none.txt --set events.form=sacct
# Dashes that stand below other columns than the names cut these in two: no field is the number of a job.
printf '        JobID JobName NodeList Start End \n-------- -------- -------- -------- -------- \n12 a n1 2024-05-01T12:00:00 2024-05-01T12:00:09 \n' > shifted.txt
gpustat events --events shifted.txt
