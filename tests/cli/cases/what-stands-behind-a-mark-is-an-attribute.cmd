# 100 W for ten minutes; eight events of 50 s are 5 kJ each, whatever else their lines of START and STOP have.
exec 2>&1
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 600; i++) printf "2024-05-01T12:%02d:%02dZ, 100 W\n", i / 60, i % 60 }' > gpu.csv
marks() # of eight events, by a format of awk whose numbers are the event's and the batch's
{
    awk -v form="$1" -v sweep="$2" 'BEGIN { for (i = 0; i < 8; i++) for (k = 0; k < 2; k++) {
        printf "2024-05-01 12:0%d:%02d ", i + 1, 50 * k; printf form "\n", (k ? "STOP" : "START"), (sweep ? 8 * 2 ^ i : 32 * (1 + i % 2)), i } }' > run.log
    echo "$1"
    gpustat events gpu.csv run.log -q -f csv --by event,"${3-batch}" --show "${3-batch}",n,duration_mean_ms,energy_sum_j | tail -n +2
}
marks '%s train batch=%d'
marks '%s batch=%d train'
marks '%s batch=%d'
marks '%s "a big model" batch=%d'
marks "%s name='a big model' batch = %d"
marks 'INFO bench.py: %s train (batch=%d, note="a, b")' 0 batch,note
marks '%s train batch=%d step=%d' 0 batch,task
marks '%s train batch=%d' sweep
marks '%s train batch_size=%d' sweep batch_size
# In a table, too.
awk 'BEGIN { print "timestamp,event,phase,batch"; for (i = 0; i < 8; i++) for (k = 0; k < 2; k++) printf "2024-05-01 12:0%d:%02d,train,%s,%d\n", i + 1, 50 * k, (k ? "STOP" : "START"), 32 * (1 + i % 2) }' > marks.csv
gpustat events gpu.csv marks.csv -q -f csv --by event,batch --show batch,n,duration_mean_ms,energy_sum_j
