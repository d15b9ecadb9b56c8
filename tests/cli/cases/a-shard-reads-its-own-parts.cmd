# Of a split a shard reads the files that hold its hosts, and no other: these may be damaged, and none notices.
ask()
{
    local n=$1 dir=$2 i
    shift 2
    rm -f ./*.state
    for i in $(seq "$n"); do gpustat "$@" "$dir" -q --shard "$i/$n" --partial "$i.state" || return; done
    gpustat merge ./*.state -q -f csv > merged
}
same()
{
    ask "$@" && cmp whole merged && echo "$1 shards of $2: the same $3"
}
gpustat split data/ -o parts --parts 24 -q -f csv > files
for question in events "gpus --event Tiling" "timeline --every 1min" balance schedule; do
    gpustat $question data/ -q -f csv > whole
    for n in 24 8 6 5; do same $n parts $question; done
done
gpustat summary parts -q -f csv > whole; same 24 parts summary
gpustat check parts -q -f csv > whole; same 24 parts check
gpustat gpus data/ -q -f csv --shard 3/6 --max-memory 20M --partial of-all
gpustat gpus parts -q -f csv --shard 3/6 --max-memory 20M --partial of-parts
ls of-all of-parts
# A shard of 24 may hold no host, and none that has the event: that is known when all are there.
ask 24 parts events --event Nothing
echo $?
# The hosts of shard 3 of 6 are in the parts 3, 9, 15 and 21.
for n in $(seq 24); do
    case $n in 3|9|15|21) continue ;; esac
    for file in parts/*-00$(printf %02d $n).csv.zst; do
        head -c "$(stat -c %s "$file")" /dev/zero > other && mv other "$file"
    done
done
gpustat gpus parts -q -f csv --shard 3/6 --max-memory 20M --partial again && cmp again of-parts && echo not opened
gpustat gpus parts -q -f csv --shard 4/6 --partial again
echo $?
gpustat gpus parts -q -f csv
echo $?
truncate -s -1 parts/gpu-0009.csv.zst
gpustat gpus parts -q -f csv --shard 3/6 --partial again
echo $?
# In any form: events of all hosts, of several, hosts without samples, names of GPUs that are in no sample of their part.
python3 - << 'END'
T = 1714564800
with open("prom.txt", "w") as f:
    for k in range(61):
        for h in range(2, 9):
            for g in (0, 1):
                f.write('DCGM_FI_DEV_POWER_USAGE{gpu="%d",UUID="GPU-%d%d",Hostname="n%d"} %.3f %d\n'
                        % (g, h, g, h, 100 + 50 * g + h + (k * 7 % 5) / 3, (T + k) * 1000))
with open("spans.csv", "w") as f:
    f.write("name,host,gpu,start,end\nall,,,2024-05-01T12:00:02Z,2024-05-01T12:00:55Z\n")
    for h in range(1, 6):
        for k in range(5):
            f.write("a%d,n%d,%s,2024-05-01T12:00:%02dZ,2024-05-01T12:00:%02dZ\n"
                    % (k % 2, h, "GPU-%d%d" % (h, k % 2) if k else "GPU-99", 5 + k * 3, 9 + k * 3))
END
mkdir run; mv prom.txt spans.csv run
gpustat split run -o dealt --parts 9 -q -f csv > files
for question in events "events --join window --by host" "gpus --event a0" balance "timeline --event a1" bias; do
    gpustat $question run -q -f csv > whole
    for n in 9 3 4; do same $n dealt $question; done
done
sed -i s/GPU-../GPU-99/ run/spans.csv
gpustat events run -q
gpustat split run -o apart --parts 2 -q -f csv > files
ask 2 apart events
echo $?
