# The energies of timeline add up to the total of balance, also where the table of cards, --card or --sensor gives a gain
# and an offset: 40 readings of 100 W a second apart are 39 s x (100 - offset) / gain, computed here.
{
    echo 'timestamp, name, index, power.draw [W]'
    for k in {10..49}; do echo "2024/05/01 12:00:$k.000, NVIDIA GeForce RTX 3090, 0, 100.00 W"; done
} > gpu.csv
printf 'name,start,stop\nrun,2024-05-01T12:00:12Z,2024-05-01T12:00:40Z\n' > spans.csv
of() { gpustat "$@" --samples gpu.csv --events spans.csv --tz UTC; }
sums() # GAIN OFFSET OPTION...
{
    local expected
    expected=$(awk "BEGIN { printf \"%.1f\", 39 * (100 - $2) / $1 }")
    shift 2
    of timeline -q -f csv --every 7s "$@" | awk -F, 'NR > 1 { s += $7 } END { printf "timeline %.4f", s }'
    of balance -q -f csv "$@" | awk -F, '$1 == "total" && $2 == "all" { printf ", balance %.4f", $4 }'
    echo ", expected $expected"
}
sums 0.943629 4.5273
sums 0.8 4 --sensor gain=0.8,offset=4
sums 0.99278 0.88317 --card 'Tesla P100-PCIE-16GB'
sums 0.8 4 --sensor gain=0.8,offset=4,period=2s,window=1s,delay=300ms
sums 1 0 --sensor gain=1,offset=0
# What was taken out is said, whole and merged.
said() { "$@" 2>&1 > /dev/null | grep 'table of cards'; }
said of timeline
of timeline -q --partial whole.state; said gpustat merge whole.state
said of timeline --sensor gain=1,offset=0
of timeline -q --explain -f csv | grep -o 'corrected for .*'
