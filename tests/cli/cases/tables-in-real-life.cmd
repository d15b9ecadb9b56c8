# Tables as they lie about: text around them, no header, rows that end early, NULs, decimal commas. Truth: 100 to 109 W, mean 104.5.
exec 2>&1
rows() { for k in {0..9}; do printf "$1\n" $k $((100 + k)); done; }
mean() # FILE OPTIONS...
{
    local answer
    answer=$(gpustat power "$@" -q -f csv 2>&1)
    case $answer in
    gpustat:*) echo "$answer" ;;
    *) echo "$1: $(tail -n 1 <<< "$answer" | cut -d, -f 2,5)" ;;
    esac
}
said() { gpustat power "$@" -f csv 2>&1 > /dev/null | grep -E 'around|read as|NUL|several lines|shorter'; }
csv() { rows '2026-01-01 00:00:0%d,0,%d'; }
# A banner, an echoed command, comments between and a summary behind.
{ echo 'Run 7 of the night'; echo '$ nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv'; echo
  echo 'timestamp, index, power.draw [W]'; csv | head -n 4; echo '# checkpoint, saved'; csv | tail -n 6
  echo; echo 'Average power (W) = 104.5'; echo 'Done, in time'; } > around.csv
mean around.csv
said around.csv
# A row that is broken is an error all the same.
{ cat around.csv; echo '2026-01-01 00:00:10,0'; echo '2026-01-01 00:00:11,0,100'; } > broken.csv
mean broken.csv
# No header: read where one reading fits, else the line to type.
rows '2026-01-01 00:00:0%d, 5 %%, 7 %%, 41, %d W' > units.csv
mean units.csv
said units.csv
csv > bare.csv
mean bare.csv
mean bare.csv --columns timestamp,gpu,power_w
rows '1767225600.%d,%d.5' > two.csv
mean two.csv
said two.csv
rows '2026-01-01,00:00:0%d,%d W' > day.csv
mean day.csv
said day.csv
for k in {0..9}; do for g in 0 1; do echo "2026-01-01 00:00:0$k,$g,$((100 + k)) W"; done; done > cards.csv
mean cards.csv
said cards.csv
# Rows shorter than the header; a cell of two lines; NULs in place of a line's end; decimal commas.
{ echo 'timestamp,index,power_w,temp_c,fan'; csv; } > short.csv
mean short.csv
said short.csv
{ echo 'timestamp,index,power_w'; rows '2026-01-01 00:00:0%d,0,"%d\n0"'; } > cell.csv
mean cell.csv
said cell.csv
{ printf 'timestamp,index,power_w\0\0\0\0'; csv | head -n 5; printf '\0\0'; csv | tail -n 5; printf '\0\0\0'; } > nul.csv
mean nul.csv
said nul.csv
{ echo 'timestamp;index;power_w'; rows '2026-01-01 00:00:0%d;0;%d,0'; } > comma.csv
mean comma.csv
{ printf 'timestamp\tindex\tpower_w\n'; rows '2026-01-01 00:00:0%d\t0\t%d,0'; } > tab.csv
mean tab.csv
{ echo 'timestamp,power_w'; rows '2026-01-01 00:00:0%d,%d,0'; } > commas.csv
mean commas.csv
# Several tables in one file: each is read by its own header.
{ echo 'timestamp,index,power_w'; csv | head -n 5; echo 'power_w,timestamp'
  csv | tail -n 5 | sed -E 's/(.*),0,(.*)/\2,\1/'; } > turned.csv
mean turned.csv
{ echo 'timestamp,index,power_w'; csv | head -n 5; echo 'timestamp,board_watts'; csv | tail -n 5 | cut -d, -f 1,3; } > other.csv
mean other.csv
# What is no text is said to be none.
printf 'timestamp,power_w\n\1\2\3\0\0\n' > binary.csv
mean binary.csv
# A second that comes twice now and then is one GPU's; one that always does is several GPUs'.
{ echo 'timestamp,power_w'; for k in {10..49}; do echo "2026-01-01 00:00:$k,100"; done; echo '2026-01-01 00:00:49,104'; } > twice.csv
gpustat gpus twice.csv -q -f csv | cut -d, -f 4,5
{ echo 'timestamp,power_w'; for k in {10..49}; do printf '2026-01-01 00:00:%d,%d\n' $k 100 $k 104; done; } > both.csv
gpustat gpus both.csv -q
# A monitor whose columns change on the way: the new one counts from there on, and nothing is lost.
printf '#Entity  SMACT  POWER\n#                W\nGPU 0  0.5  100\nGPU 1  0.5  200\n' > dcgm.log
printf '#Entity  POWER  TMPTR\n#   W  C\nGPU 0  104 40\nGPU 1  204 41\n' >> dcgm.log
gpustat power dcgm.log -q -f csv | cut -d, -f 1,2,5
