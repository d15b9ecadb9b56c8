# Ten names that differ in their numbers alone are one event of as many tasks; fewer, and those that come again, are kinds.
show()
{
    echo "== $1"
    gpustat map "$1" -v 2> notes | grep '"task"\|"event"\|"phase"'
    grep 'names\|each name' notes | sed 's/^gpustat: //'
    gpustat events "$1" -q -f csv --show event,n,duration_mean_ms | head -n 6
}
table() # FILE FORMAT of ten tasks on two GPUs and a word of its own, which is no task of theirs
{
    echo 'task,gpu,start,stop' > "$1"
    for i in $(seq 1 "${3:-10}"); do
        # shellcheck disable=SC2059
        printf "$2,$((i % 2)),2024-05-01T12:00:$((i + 9))Z,2024-05-01T12:00:$((i + 10))Z\n" "$i" >> "$1"
    done
}
table frames.csv 'render_frame_%04d'
echo 'warm-up,0,2024-05-01T12:00:00Z,2024-05-01T12:00:03Z' >> frames.csv
table images.csv 'scene12_frame%03d.v2.exr'
table shards.csv 'shard_%05d_of_00010'
table first.csv '%d-fold'
table models.csv 'resnet%d' 9
table seeds.csv 'resnet50_seed%d'
for file in frames.csv images.csv shards.csv first.csv models.csv seeds.csv; do show "$file"; done
# Two axes of one grid: neither number alone makes ten.
echo 'task,gpu,start,stop' > grid.csv
for x in 0 1 2 3; do for y in 0 1 2; do
    echo "tile_${x}_$y,0,2024-05-01T12:0$x:$y""0Z,2024-05-01T12:0$x:$y""9Z" >> grid.csv
done; done
show grid.csv
# Each of eight layers runs twice: they are eight events.
echo 'name,start,stop' > layers.csv
for i in 0 1; do for k in $(seq 10 20); do
    echo "layer_$k,2024-05-01T12:0$i:${k}Z,2024-05-01T12:0$i:$((k + 1))Z" >> layers.csv
done; done
show layers.csv
# Epochs of two GPUs, each once on each; START and STOP of one name are one event.
echo 'time,gpu,event,phase' > epochs.csv
for i in $(seq 10 19); do for gpu in 0 1; do
    printf '2024-05-01T12:00:%sZ,%s,epoch_%s,%s\n' "$i" $gpu "$i" start "$((i + 1))" $gpu "$i" stop >> epochs.csv
done; done
show epochs.csv
# The mark behind the name in one column.
echo 'time,event' > marks.csv
for i in $(seq 10 20); do
    printf '2024-05-01T12:00:%sZ,tile_%s_%s\n' "$i" "$i" begin "$((i + 1))" "$i" end >> marks.csv
done
show marks.csv
gpustat events marks.csv -q -f csv --by event,task --show event,task,n | head -n 3
# GNU parallel's log: what is set for a command names its GPUs, and is no part of the name; ':' is this machine.
printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n' > joblog
for i in $(seq 1 12); do
    printf '%s\t:\t%s.000\t     9.500\t0\t0\t0\t0\tCUDA_VISIBLE_DEVICES=%s python infer.py --input part_%05d.npz\n' \
        "$i" "$((1714564800 + 5 * i))" "$((i % 2))" "$i" >> joblog
done
show joblog
gpustat map joblog -q | grep '"host"\|"gpu"'
# Numbers that all commands have are theirs.
printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n' > srun
for i in $(seq 1 12); do
    printf '%s\t:\t%s.000\t60.1\t0\t0\t0\t0\tsrun -n1 -c 1 ./task.sh > logs.20260701/out.%s.txt\n' "$i" "$((1714564800 + i))" "$i" >> srun
done
show srun
# Optuna's table of trials.
printf ',number,value,datetime_start,datetime_complete,duration,params_lr,state\n' > trials.csv
printf '%s,%s,0.9,2024-05-01 12:00:0%s.000,2024-05-01 12:00:09.000,0 days 00:00:0%s,0.1,COMPLETE\n' 0 0 1 8 1 1 2 7 >> trials.csv
show trials.csv
# Nextflow's trace without a column of processes.
printf 'task_id\thash\tnative_id\tname\tstatus\tsubmit\tstart\tcomplete\n' > trace.txt
printf '%s\tab/12\t7\tBASECALL (s%s)\tCOMPLETED\t2024-05-01 12:00:00.000\t2024-05-01 12:00:01.000\t2024-05-01 12:00:05.000\n' 1 a 2 b >> trace.txt
show trace.txt
# Names without numbers: one event in a column of tasks, if they are thirty.
echo 'task,start,stop' > words.csv
for a in a b c; do for b in g h i j k l m n o p; do
    echo "$a-$b-task,2024-05-01T12:00:00Z,2024-05-01T12:00:01Z" >> words.csv
done; done
show words.csv
sed 's/task,start/event,start/' words.csv > event.csv
show event.csv
gpustat events frames.csv -q -f csv --set events.event.like= --show event,n | tail -n 2
# Workers that each have a GPU of their own are no hosts; tasks that are numbered within a job are its tasks.
printf 'timestamp,gpu,power_w\n2024-05-01T12:00:00Z,0,300\n2024-05-01T12:00:00Z,1,300\n2024-05-01T12:01:00Z,0,300\n2024-05-01T12:01:00Z,1,300\n' > gpu.csv
echo 'task,worker,gpu,start,end' > workers.csv
echo 'Job,Task,Frame,Worker,Start Time,End Time' > frames-of-jobs.csv
for i in $(seq 10 39); do
    echo "mol_${i}a5,w$((i % 2)),$((i % 2)),2024-05-01T12:00:${i}Z,2024-05-01T12:00:$((i + 1))Z" >> workers.csv
    echo "shot,$i,$i,render$((i % 2)),2024/05/01 12:00:$i,2024/05/01 12:00:$((i + 2))" >> frames-of-jobs.csv
done
gpustat schedule gpu.csv workers.csv -q -f csv | cut -d, -f 1-5
gpustat map workers.csv -v 2>&1 | grep 'no host'
gpustat schedule frames-of-jobs.csv -q -f csv | cut -d, -f 1-5
sed 's/1,2024/0,2024/' workers.csv > one-gpu-each.csv # of two hosts
gpustat map one-gpu-each.csv -q | grep '"host"'
