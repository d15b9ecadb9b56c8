# One log for each GPU: the number in the names of the files is the GPU's, of one form or of several.
log()
{
    for i in $(seq 0 9); do printf "$1\n" "$i" $(($2 + i)); done
}
mkdir alike unlike
for g in 0 1; do { echo 'timestamp,power_w'; log '2024-05-01T12:00:0%sZ,%s' $((100 + 100 * g)); } > alike/gpu${g}_power.csv; done
printf 'kernel,device,start,end\ngemm,0,2024-05-01T12:00:01Z,2024-05-01T12:00:03Z\ngemm,1,2024-05-01T12:00:01Z,2024-05-01T12:00:03Z\n' | tee alike/kernels.csv > unlike/kernels.csv
cp alike/gpu0_power.csv unlike
{ echo 't_unix;pwr_mW'; log '171456480%s;%s000' 200; } > unlike/gpu1_power.csv
for d in alike unlike
do
    gpustat map $d -q | grep '"gpu"'
    gpustat events $d -q -f csv --by gpu --show gpu,n,energy_mean_j
done
# Two logs of one GPU are none of two; names of hosts stay hosts.
cp unlike/gpu1_power.csv unlike/gpu1b.csv; gpustat gpus unlike -q
mkdir hosts; for h in a b; do cp alike/gpu0_power.csv hosts/node-$h.csv; done; gpustat map hosts -q | grep -E '"(gpu|host)"'
# The same GPU of two hosts, and two GPUs of each: what differs is no number of a GPU alone.
mkdir same each
for h in 1 2; do cp alike/gpu0_power.csv same/node${h}_gpu0.csv; for g in 0 1; do cp alike/gpu${g}_power.csv each/node${h}_gpu$g.csv; done; done
for d in same each; do gpustat map $d -q | grep -E '"(gpu|host)"'; gpustat gpus $d -q -f csv --show hostname,samples; done
