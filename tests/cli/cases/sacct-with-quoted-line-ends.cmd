# sacct's list as pandas or a spreadsheet wrote it: a name between quotes may hold line ends, commas and quotes.
printf 'time,power_w\n2024-05-01T12:00:00Z,100\n2024-05-01T12:00:04Z,100\n' > power.csv
times=2024-05-01T12:00:00,2024-05-01T12:00:04,n1,COMPLETED
events() { gpustat events --samples power.csv --events "$1" --tz UTC -q -f csv "${@:2}" | cut -d, -f 1-3; }
printf 'JobID,JobName,Start,End,NodeList,State\n7,"a\nb, ""c""\n\n",%s\n8,d,%s\n9,"""",%s\n' $times $times $times > jobs.csv
events jobs.csv; gpustat map jobs.csv -q | grep -o '"rows.*hosts'
sed 's/,/;/g; s/b; /b, /' jobs.csv > semicolons.csv; events semicolons.csv | cmp - <(events jobs.csv)
# A quote that nothing closes is an error of its row, with all that it took.
printf 'JobID,JobName,Start,End,NodeList,State\n7,a,%s\n8,"b,%s\n9,c,%s\n' $times $times $times > open.csv
events open.csv 2>&1; events open.csv --rejects r.csv; cat r.csv
