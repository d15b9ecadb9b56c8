#!/bin/bash
# Draws what every command draws of data/, wide and narrow, light and dark, opens it in a browser and measures it, and
# looks at the same on terminals of 80 columns.
#   pictures.sh BUILD
# The pictures stay in BUILD/pictures, to be looked at.
set -u
program=$1/gpustat
pictures=$1/pictures
here=tests/report
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$pictures"
mkdir -p "$pictures"
failed=0 passed=0

# Each line: a name, and the words of the command.
commands()
{
    local c
    for c in events zoom gpus correlate join balance bias clusters schedule stragglers timeline tiles; do
        echo "$c $c data/"
    done
    for c in events gpus join balance bias schedule timeline; do
        echo "own-$c $c data/own"
    done
    cat << END
diff diff data/ data/
events-window events data/ --join window
events-host events data/ --by host
events-level events data/ --by level
events-pairs events data/ --by event,level
events-log events data/ --log
balance-gpu balance data/ --by gpu
balance-level balance data/ --by level
tiles-host tiles data/ --value host
tiles-cluster tiles data/ --value cluster
tiles-few tiles data/ --level 8
power power data/power-log.csv
power-own power data/own/nvidia-smi.csv --tz UTC
power-metrics power data/power-log.csv --metrics
power-windows power data/power-log.csv --windows data/power-windows.csv --shift 1h
proportionality proportionality data/iterations.csv
validate validate data/operations-validate.csv
sweep sweep data/sweep.csv
crosstalk crosstalk data/crosstalk.csv
forest forest evaluate data/operations.csv
END
}

# No line of a terminal's picture is wider than it, and without Unicode nothing but ASCII is written.
on_terminal()
{
    local name=$1 said
    shift
    said=$("$program" "$@" -q --plot - --width 80 --color never -o /dev/null -f csv) || return 1
    [ -n "$said" ] && ! grep -qP '[^\x00-\x7F]' <<< "$said" && [ "$(wc -L <<< "$said")" -le 80 ]
}

while read -r name words; do
    for mode in "wide.light" "wide.dark --theme dark" "narrow.light --width 400" "narrow.dark --width 400 --theme dark" \
        "large.light --width 1280"; do
        # shellcheck disable=SC2086 # words
        if "$program" $words -q --plot "$pictures/$name.${mode%% *}.svg" -o /dev/null -f csv ${mode#"${mode%% *}"}; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$name $mode: not drawn"
        fi
    done
    # shellcheck disable=SC2086 # words
    if on_terminal "$name" $words; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: on a terminal of 80 columns"
    fi
done < <(commands)
python3 "$here/pictures.py" "$pictures" > "$pictures/said" 2>&1 || failed=$((failed + 1))
cat "$pictures/said"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && tail -n 1 "$pictures/said" | grep -q ' 0 failed$'
