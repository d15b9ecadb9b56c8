# What is called without effect changes no byte; what is not called so does, on samples each 10 s and events between them.
{ echo time,power_w; for k in {0..9}; do [ $k = 5 ] || echo "$((1700000000 + k * 10)),$((100 + k * k * 7 % 50))"; done; } > gpu.csv
{ echo name,task,start,stop; for k in 5 12 25 33 41; do echo "work,t$k,$((1700000000 + k)),$((1700000020 + k))"; done; } > spans.csv
for command in events join 'events --by task'; do
    for join in nearest backward forward window; do
        gpustat $command --samples gpu.csv --events spans.csv --join $join -q -f csv > plain
        for option in '--tolerance 4s' '--ties later' '--max-gap 15s'; do
            gpustat $command --samples gpu.csv --events spans.csv --join $join $option -f csv > with 2> said
            named=$(grep -c -e "${option% *} does nothing" said)
            cmp -s plain with && same=1 || same=0
            [ "$named" = "$same" ] || echo "$command --join $join $option: called without effect: $named, the same bytes: $same"
            [ "$command $named" = 'events 1' ] && grep -h -e 'does nothing' said
        done
    done
done
exit 0
