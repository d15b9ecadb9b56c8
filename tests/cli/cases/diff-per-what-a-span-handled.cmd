# Batches of other sizes: a step of 100 samples takes 2 s and 200 J in A, one of 200 samples 3 s and 300 J in B. For each sample that
# is 20 and 15 ms, 2 and 1.5 J: 25 % less, where the steps alone say 50 % more.
run()
{
    mkdir "$1"
    { echo 'timestamp,power.draw [W]'; for i in $(seq 0 130); do printf '%s,100 W\n' $((1714564800 + i)); done; } > "$1/gpu.csv"
    { echo 'name,start,stop,samples'; for i in $(seq 0 39); do printf 'train,%s.%03d,%s.%03d,%s\n' $((1714564801 + i * $2 )) $((i % 3)) $((1714564801 + i * $2 + $2)) $((i % 5)) "$3"; done
      echo 'eval,1714564925,1714564930,'; } > "$1/events.csv"
}
run a 2 100
run b 3 200
gpustat diff a b -q -f csv --show event,measure,unit,a,b,change_pct,verdict
gpustat diff a b -q -f csv --per samples --show event,measure,unit,a,b,change_pct,verdict
gpustat diff a b --per samples | head -n 1
gpustat diff a b --per name
gpustat diff a b --per tokens
# A partial result knows what it was divided by.
for i in 1 2; do gpustat diff a b -q --per samples --shard $i/2 --partial p$i; done
gpustat merge p1 p2 -q -f csv --show event,measure,unit,a,b,change_pct,verdict
