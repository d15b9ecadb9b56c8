# Two jobs on one node at one time, each with a GPU of its own, and a third GPU whose samples name no job: a job's steps
# use the GPU whose samples name the job; the third is that of a job that no samples name.
{
    echo 'time,host,gpu,job,power_w'
    for k in {10..29}; do
        printf '2024-05-01T12:00:%dZ,n1,%s\n' $k 0,a,100 $k 1,b,200 $k 2,,50
    done
} > gpu.csv
{
    echo 'name,job,start,stop'
    for job in a b c ''; do echo "step,$job,2024-05-01T12:00:12Z,2024-05-01T12:00:22Z"; done
} > spans.csv
for join in nearest window; do gpustat events gpu.csv spans.csv -q -f json --by job --join $join | grep -o '"\(job_id\|power_mean_w\|energy_sum_j\|coverage_pct\)": [^,}]*' | paste - - - -; done
# One GPU, one job after the other: what it was over the whole run is one row, and its tasks are all of them.
rows() # N SAMPLES-A-SECOND
{
    awk -v n="$1" -v hz="$2" 'BEGIN {
        print "time,host,gpu,job,power_w,temp_c"
        for (i = 0; i < n; i++) {
            k = int(i / 40)
            printf "2024-05-01T12:%02d:%02d.%03dZ,n%d,%d,%s,%d,%d\n", k / hz / 60, k / hz % 60, k % hz * 1000 / hz, i % 20, i / 20 % 2,
                   k / n % 0.01 < 0.009 ? int(k * 160 / n) + i % 20 * 10 : "", 100 + i % 7 + i % 20, 40 + i % 3
        }
    }'
}
rows 8000 1 > few.csv
rows 400000 50 | gzip -1 > many.csv.gz
awk 'BEGIN {
    print "name,host,job,start,stop"
    for (i = 0; i < 16 * 20; i++)
        printf "step,n%d,%d,2024-05-01T12:%02d:%02dZ,2024-05-01T12:%02d:%02dZ\n", i % 20, int(i / 80) + i % 20 * 10,
               int(i / 20) * 12 / 60, int(i / 20) * 12 % 60, (int(i / 20) * 12 + 9) / 60, (int(i / 20) * 12 + 9) % 60
}' > steps.csv
run="--samples few.csv --events steps.csv"
gpustat gpus $run -q -f csv | cut -d, -f 1-5,9 | head -4
gpustat gpus $run -q -f csv --set samples.job= | cut -d, -f 1-5,9 | head -4
for question in gpus stragglers clusters correlate events 'events --by job,gpu' 'balance --by gpu' balance timeline schedule summary join; do
    gpustat $question $run -q -f csv > one || echo "$question: $?"
    for n in 2 3 7; do
        for ((i = 1; i <= n; i++)); do gpustat $question $run -q --shard $i/$n --partial $i.state; done
        gpustat merge ?.state -q -f csv | cmp - one || echo "$question in $n shards"
        rm ?.state
    done
done
gpustat gpus --samples many.csv.gz --events steps.csv -q -f csv > one
gpustat gpus --samples many.csv.gz --events steps.csv -j 1 -f csv --max-memory 10M 2> said | cmp - one
grep -o 'read in .* passes' said | tr -d 0-9
# Events without jobs: those of the samples tell nothing apart, which is said; jobs that are none of the events', too.
cut -d, -f 1,3,4 spans.csv | head -2 > alone.csv
sed 's/,[abc],/,x&/; s/,x,\(.\),/,x\1,/' spans.csv > others.csv
for events in alone others; do gpustat events gpu.csv $events.csv -f csv --join window 2>&1 | grep -v intervals | cut -d, -f 1,10,14-16; done
