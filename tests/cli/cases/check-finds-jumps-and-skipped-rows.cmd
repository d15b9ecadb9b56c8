# Two readings of 612 W in an idle log: contradicted by its utilisation, by the card's limit, or by nothing; with load at
# that time they are one, and so is a log whose single polls meet bursts again and again. A row without a time is counted.
log()
{
    awk -v head="$1" -v rest="$2" -v every="${3:-417}" 'BEGIN {
        print ("timestamp, index, power.draw [W]" head)
        for (t = 0; t < 1000; t++) {
            p = t % every == every - 17 ? 612 : 31 + t % 7 / 10
            also = rest == ", load" ? (p > 600 ? ", 97 %" : ", 0 %") : rest
            printf("2025/11/21 04:%02d:%02d.000, 0, %.2f W%s\n", t / 60, t % 60, p, also)
        }
    }'
}
log ", utilization.gpu [%]" ", 0 %" > util.csv
log ", power.limit [W]" ", 300.00 W" > limit.csv
log "" "" > alone.csv
log ", utilization.gpu [%]" ", load" > load.csv
log "" "" 40 > bursts.csv
(head -n 500 alone.csv; echo "[N/A], 0, 31.00 W"; tail -n +501 load.csv | cut -d, -f1-3 | sed 's/612/31/') > skipped.csv
for f in util limit alone load bursts skipped; do gpustat check $f.csv --tz UTC -q -f csv | grep -v zoneless | grep -v hosts | tail -n +2; done
# The last line of a JSON log was cut: never without a word.
for k in 0 1 2 3 4; do
    printf '{"step": %d, "timestamp": %d.5, "step_time": 3.5}\n' $k $((1763700000 + 4 * k))
    [ $k != 4 ] || printf '{"step": 5, "time\n'
done > steps.jsonl
gpustat check steps.jsonl -q -f csv | grep skipped
gpustat report skipped.csv --tz UTC -q -o r > /dev/null; grep -i 'wrong' r/report.md
