# Five readings a second, stamped with whole seconds: 100, 100, 100, 100 and 300 W, a mean of 140 W, so 59 s have 8260 J. Equal
# readings of such a stamp are no duplicates, whatever --duplicates says; five rows alike in all (second 30) are.
awk 'BEGIN { print "timestamp,host,gpu,power.draw [W]"
    for (i = 0; i < 300; i++) {
        s = int(i / 5)
        printf "2026-01-01T00:%02d:%02dZ,h,0,%d\n", s / 60, s % 60, s == 30 ? 140 : i % 5 < 4 ? 100 : 300
    } }' > samples.csv
for command in power gpus balance; do
    for rule in keep drop; do
        gpustat "$command" samples.csv --duplicates $rule -q -f csv > out.csv
        echo "$command, $rule: $(grep -o -E '(^|,)8260(\.0*)?(,|$)' out.csv | head -1 | tr -d ,)"
    done
done
for rule in keep drop; do
    echo "timeline, $rule: $(gpustat timeline samples.csv --duplicates $rule -q -f csv | awk -F, '{ j += $7 } END { print j }')"
done
gpustat check samples.csv -f csv -q | cut -d , -f 1-3 | grep -E 'duplicate|instant'
