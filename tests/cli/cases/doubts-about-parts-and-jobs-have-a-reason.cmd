# Instances of MIG with one power are the whole GPU again, from four readings on; with powers of their own they are not.
mig() # READINGS STEP-BETWEEN-INSTANCES
{
    awk -v n="$1" -v step="$2" 'BEGIN { print "time,host,uuid,power_w"
        for (k = 0; k < n; k++) for (i = 0; i < 2; i++) printf "2025-03-10T20:00:%02dZ,n1,MIG-%d,%d\n", k, i, 100 + k + i * step }'
}
mig 4 0 > equal.csv; mig 3 0 > few.csv; mig 4 9 > own.csv
for f in equal few own; do echo "$f: $(gpustat gpus $f.csv 2>&1 > table | grep -c 'have the power of the whole GPU')"; done
# Jobs of the samples that no event names: one that both name is enough.
awk 'BEGIN { print "time,host,gpu,job,power_w"; for (k = 0; k < 20; k++) printf "2025-03-10T20:00:%02dZ,n1,0,%d,100\n", k, k / 10 + 1 }' > gpu.csv
for job in 2 7; do
    printf 'name,host,job,start,stop\ntrain,n1,%s,2025-03-10T20:00:02Z,2025-03-10T20:00:18Z\n' $job > spans.csv
    echo "job $job: $(gpustat events gpu.csv spans.csv 2>&1 > table | grep -c 'no job in common')"
done
