# Samples with a job, events and a table of tasks under names of one's own: the parts say what the whole says.
mkdir run
{
    echo time,node,gpu,job,watts
    for i in {10..49}; do for n in 0 1 2; do echo "2026-01-01T00:00:$i.000Z,n$n,0,j$((i % 2)),$((100 + 10 * n + i % 7))"; done; done
} | sed '1s/watts/power_w/' > run/power.csv
{
    echo task,job,event,start,stop,host
    for k in {11..40}; do echo "t$k,j$((k % 2)),work,2026-01-01T00:00:$k.200Z,2026-01-01T00:00:$((k + 5)).700Z,n$((k % 3))"; done
} > run/events.csv
{ echo taskId,jobId,x,y,level; for k in {11..40}; do echo "t$k,j$((k % 2)),$((k % 5)),$((k % 3)),$((k % 4))"; done; } > run/task-list.csv
gpustat split run -o parts --parts 2 -q -f csv --show file,rows
for question in 'events --by level' 'events --by task' tiles gpus; do
    gpustat $question run -q -f csv > whole
    gpustat $question parts -q -f csv | cmp - whole && wc -l < whole
done
