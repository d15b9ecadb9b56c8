# --show chooses panels of a script, not the columns that it draws: any column of any command ends well, or is refused in words.
for command in events gpus timeline balance jobs zoom schedule bias; do
    for column in $(gpustat $command data/ -q -f csv | head -n 1 | tr , ' '); do
        gpustat $command data/ -q -f gnuplot --show "$column" > script 2> why
        code=$?
        if [ $code -eq 0 ]; then grep -q ^plot script || echo "$command $column draws nothing"
        elif [ $code -ne 2 ] || ! grep -q 'no panel' why; then echo "$command $column: $code"; cat why
        fi
    done
done
gpustat timeline data/ -q -f gnuplot --show fleet_power_w | grep -c '^set ylabel'
gpustat timeline data/ -q -f gnuplot --show gpus_seen
