# Two jobs on one host, each with samples of a GPU of its own, and events that name no GPU: while one waits, the other's
# GPU is not lost. Job a waits 10 s at 100 W, job b 5 s at 300 W.
mkdir run
{
    echo timestamp,host,gpu,job,power_w
    for t in {10..59}; do echo "2024-05-01T12:00:${t}Z,n1,0,a,100"; echo "2024-05-01T12:00:${t}Z,n1,1,b,300"; done
} > run/samples.csv
{
    echo name,job,host,task,start,stop
    while read -r job task start stop; do
        echo "work,$job,n1,$task,2024-05-01T12:00:${start}Z,2024-05-01T12:00:${stop}Z"
    done
} > run/events.csv << 'END'
a t1 10 20
a t2 30 40
b t3 10 30
b t4 35 50
END
gpustat schedule run --event work -f csv -q | cut -d, -f 1-4,13,17,20
# GPU 0 used by both jobs, one after the other, and events that name it: the tail is that of the GPU, whoever's samples.
{
    echo timestamp,host,gpu,job,power_w
    for t in {10..34}; do echo "2024-05-01T12:00:${t}Z,n1,0,a,100"; done
    for t in {34..59}; do echo "2024-05-01T12:00:${t}Z,n1,0,b,300"; done
    for t in {10..59}; do echo "2024-05-01T12:00:${t}Z,n1,1,b,50"; done
} > run/samples.csv
{
    echo name,job,host,gpu,task,start,stop
    echo work,a,n1,0,t1,2024-05-01T12:00:10Z,2024-05-01T12:00:30Z
    echo work,b,n1,1,t2,2024-05-01T12:00:10Z,2024-05-01T12:00:50Z
} > run/events.csv
gpustat schedule run --event work -f csv -q | cut -d, -f 1-4,18,19,23
