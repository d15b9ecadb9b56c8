# An instant power, a draw and an average: the energy is of the instant one, whichever command is asked; else of the draw.
log() # COLUMNS
{
    declare -A name=([i]='power.draw.instant [W]' [d]='power.draw [W]' [a]='power.draw.average [W]') mean=([i]=100 [d]=200 [a]=300)
    for k in {9..59}; do
        [ $k = 9 ] && row=timestamp,gpu || row="2024-05-01T12:00:${k}Z,0"
        for ((c = 0; c < ${#1}; c++)); do
            [ $k = 9 ] && row+=,${name[${1:c:1}]} || row+=,$((${mean[${1:c:1}]} + k % 7))
        done
        echo "$row"
    done
}
printf 'name,start,stop\nwork,2024-05-01T12:00:20Z,2024-05-01T12:00:40Z\n' > work.csv
total() { awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ /^energy(_sensor)?_j$/) at = i} NR > 1 && !/total,/ {sum += $at} END {printf " %.3f", sum}'; }
for columns in ida dia aid da ad a; do
    log $columns > log.csv
    printf %s "$columns"
    gpustat power log.csv -q -f csv | total
    for question in gpus balance 'balance --by gpu' timeline 'timeline --every 3s'; do gpustat $question log.csv work.csv -q -f csv | total; done
    gpustat report log.csv -q -o page > /dev/null && total < page/power.csv
    echo
done
# Beside an energy of instant readings the mean of the draw is no matter of how time is weighed.
log id > log.csv
gpustat events log.csv work.csv -v 2>&1 > /dev/null | grep power_
