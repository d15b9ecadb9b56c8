# A span that names no host is on all of them: 10 s at 100 W and at 200 W are 3,000 J in A, at 100 W and 240 W 3,400 J in B, 13.3 %
# more and 170 instead of 150 W per GPU. A span on GPUs 0 and 1 of one host has both. By host each is one.
run()
{
    mkdir "$1"
    for gpu in "one 0 100" "two 0 $2" "two 1 $2"; do
        set -- "$1" "$2" $gpu
        { echo 'timestamp,hostname,index,power.draw [W],temperature.gpu'; for i in $(seq 0 130); do echo "$((1714564800 + i)),$3,$4,$5 W,$(($5 / 4))"; done; } > "$1/$3-$4.csv"
    done
    { echo 'event,start,stop'; for i in $(seq 0 9); do echo "train,$((1714564801 + i * 12)),$((1714564811 + i * 12 + i % 2))"; done; } > "$1/events.csv"
}
run a 200
run b 240
rm [ab]/two-1.csv
shown=event,measure,unit,a,b,change_pct,n_a,n_b
gpustat diff a b -q -f csv --show $shown --measure energy,power,temp_c,duration
gpustat diff a b -q -f csv --by event,host --show event,host,measure,a,b,n_a --measure energy
for i in 1 2; do gpustat diff a b -q --measure energy,power,temp_c,duration --shard $i/2 --partial p$i; done
gpustat merge p2 p1 -q -f csv --show $shown
for r in a b; do
    mkdir $r/own
    mv $r/two-0.csv $r/own
    sed '1s/$/,hostname,gpu/; 1!s/$/,two,"0,1"/' $r/events.csv> $r/own/events.csv
    sed 's/^\([^,]*,two\),0,/\1,1,/' $r/own/two-0.csv > $r/own/two-1.csv
done
gpustat diff a/own b/own -q -f csv --show $shown --measure energy,power --set events.gpu.many=true
