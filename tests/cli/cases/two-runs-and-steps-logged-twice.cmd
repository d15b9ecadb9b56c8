# Steps that a script logs to a table and to JSON lines count once, whatever their unit; two runs in a folder are told apart.
run() # NAME START FACTOR: 20 steps of about 2 s on one GPU, as samples, CSV in ms and JSON lines in s
{
    awk -v name="$1" -v t="$2" -v factor="$3" 'BEGIN {
        log_csv = name ".csv"; steps = name "-steps.csv"; lines = name "-steps.jsonl"
        print "timestamp,index,power.draw [W],utilization.gpu [%]" > log_csv
        for (i = 0; i < 60; i++) print t + i ",0," (i >= 10 && i < 51 ? 300 : 60) "," (i >= 10 && i < 51 ? 95 : 0) > log_csv
        print "step,time_ms" > steps
        for (i = 0; i < 20; i++) {
            d = factor * (2 + (i * 7 % 5) / 50); e += d
            print i "," d * 1000 > steps
            printf "{\"step\": %d, \"timestamp\": %.3f, \"step_time\": %.3f}\n", i, t + 10 + e, d > lines
        }
    }'
}
mkdir one two
(cd one && run a 1763700000 1)
(cd two && run a 1763700000 1 && run b 1763800000 1.02)
gpustat events one --show event,n,energy_sum_j -f csv
gpustat events one/* --show event,n,energy_sum_j -f csv -q
gpustat events one --events one/a-steps.csv --show event,n,energy_sum_j -f csv -q
gpustat two -q
gpustat events two; echo "exit $?"
eval "$(gpustat two -q | sed -n 's/^  \(gpustat events .*'\''\) .*/\1/p') --show event,n -f csv -q"
eval "$(gpustat two -q | sed -n 's/^  \(gpustat diff .*'\''\) .*/\1/p') --show event,measure,verdict -f csv -q"
