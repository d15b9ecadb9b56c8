# Two minutes at 100 W, 12 kJ, by clocks that name no unit: milliseconds and microseconds since the start, a time of day written
# as one number (alone, and beside a date), the day numbers of a spreadsheet; and polls each five minutes, which are seconds.
log() # HEADER, then awk's text of the second i
{
    awk -v i=0 "BEGIN { print \"$1\"; for (; i <= 120; i++) print $2 }" > log.csv
    gpustat power log.csv -f csv 2> notes | cut -d , -f 12 | tail -1
    grep -o "'.*" notes
}
log t,power_w 'i * 1000 ",100"'
log elapsed,power_w 'i * 1000000 ",100"'
hms='sprintf("%02d%02d%02d", 14, 3 + int((i + 10) / 60), (i + 10) % 60)'
log time,power_w "$hms \",100\""
log date,time,power_w "\"20250507,\" $hms \",100\""
log time,power_w 'sprintf("%.8f,100", 45784.58553241 + i / 86400)'
log t,power_w 'i * 300 ",100"'
