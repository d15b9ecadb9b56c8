for f in "power data/power-log.csv" "power data/power-log.csv --points" "power data/power-log.csv --metrics" \
    "power data/power-log.csv --windows data/power-windows.csv --shift 1h" "proportionality data/iterations.csv" \
    "validate data/operations-validate.csv" "sweep data/sweep.csv" "crosstalk data/crosstalk.csv"; do
    rm -f figure*.svg
    gpustat $f -q --plot figure.svg > /dev/null || echo "$f: $?"
    for s in figure*.svg; do
        [ "$(head -c 5 "$s")" = '<?xml' ] && grep -q '</svg>' "$s" && ! grep -q 'no data' "$s" && echo "$f: $s"
    done
done
