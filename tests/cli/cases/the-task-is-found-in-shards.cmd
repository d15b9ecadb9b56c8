# A run that calls no event TotalRender: its task is found from all shards together, whatever each of them holds.
python3 - << 'END'
T0 = "2024-05-01T12:%02d:%02dZ"
def at(s): return T0 % (s // 60, s % 60)
def run(name, events):
    import os
    os.mkdir(name)
    with open(name + "/application-checkpoints.csv", "w") as f:
        f.write("timestamp,hostname,eventName,eventType,jobId,taskId\n")
        for k, (host, event, start, stop) in enumerate(events):
            f.write(f"{at(start)},{host},{event},START,j,t{k}\n{at(stop)},{host},{event},STOP,j,t{k}\n")
    with open(name + "/gpu.csv", "w") as f:
        f.write("timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n")
        for h in range(6):
            for s in range(0, 600, 10):
                f.write(f"{at(s)},n{h},{h},GPU-{h},{100 + h + s % 7},{40 + s % 5},50,20\n")
    with open(name + "/task-x-y.csv", "w") as f:
        f.write("taskId,jobId,x,y,level\n")
        for k in range(len(events)):
            f.write(f"t{k},j,{k % 4},{k // 4},{8 if k % 2 else 12}\n")
# Four kinds, on some hosts each: train is longest of all, though on n0 and n1 load takes longer, on n4 there is none of
# it, on n5 nothing at all, and step lies inside of it. copy runs longest on n3, but elsewhere inside train.
events = []
for h in range(4):
    if h > 1:
        events += [(f"n{h}", "train", 20, 420), (f"n{h}", "step", 60, 100), (f"n{h}", "copy", 110, 120), (f"n{h}", "copy", 121, 122)]
    else:
        events += [(f"n{h}", "load", 0, 50 + h), (f"n{h}", "train", 60, 90), (f"n{h}", "step", 70, 80)]
events += [("n3", "copy", 425, 599), ("n4", "load", 10, 30)]
run("run", events)
# Seventy kinds: each on one host.
run("many", [(f"n{k % 5}", f"e{k:02d}", k, k + 7 + k % 11) for k in range(70)])
END
ask()
{
    local n=$1 dir=$2 i
    shift 2
    rm -f ./*.state
    for i in $(seq "$n"); do gpustat "$@" "$dir" -q --shard "$i/$n" --partial "$i.state" || return; done
}
gpustat split run -o parts --parts 7 -q > files
for question in gpus zoom correlate timeline schedule tiles clusters stragglers; do
    gpustat $question run > whole 2> said
    answer=$?
    grep -o 'using train' said
    for dir in run parts; do
        for n in 1 2 7; do
            ask $n $dir $question
            gpustat merge $(ls ./*.state | sort -r) > merged 2> told
            [ $? = $answer ] && cmp whole merged && diff said told && echo "$question of $dir, $n shards: the same"
        done
        gpustat $question $dir --max-memory 20M 2> told | cmp - whole && diff said told
    done
done
# A merge of merges.
gpustat gpus run > whole 2> said
ask 7 parts gpus
gpustat merge 1.state 5.state 3.state --partial a -q
gpustat merge 2.state 4.state 6.state --partial b -q
gpustat merge b 7.state a 2> told | cmp - whole && diff said told && echo merges of merges: the same
# One event has its usual name: it is the task, though only one shard knows.
sed -i 's/,n2,train/,n2,TotalRender/' run/*.csv
gpustat gpus run > whole 2> said
ask 7 run gpus && gpustat merge ./*.state 2> told | cmp - whole && diff said told && echo its usual name: the same
# More kinds than a shard keeps: the likeliest of each, of which the longest of all is one.
gpustat gpus many > whole 2> said
head -n 1 said
ask 2 many gpus && gpustat merge ./*.state 2> told | cmp - whole && diff said told && echo of many: the same
# A state of another layout, or with its bytes cut or turned.
gpustat gpus run -q --partial 1.state
python3 - << 'END'
import hashlib
data = open("1.state", "rb").read()[:-32]
at = 16 + data[16]      # behind the version, whose length is one more than ...
at += data[at]          # behind the command
def write(name, bytes): open(name, "wb").write(bytes + hashlib.sha256(bytes).digest())
write("layout.state", data[:at + 1] + b"0123456789abcdef" + data[at + 17:])
for name, cut in (("short.state", data[:-1]), ("long.state", data + b"\0")):
    write(name, cut)
for k in range(0, len(data), 11):
    write("turned-%d.state" % k, data[:k] + bytes([data[k] ^ 1 << k % 8]) + data[k + 1:])
END
for name in layout short long; do
    gpustat merge $name.state 2>&1 | sed 's/byte [0-9]*/byte N/'
    echo "${PIPESTATUS[0]}"
done
for file in turned-*.state; do # whatever they are taken for, nothing breaks
    gpustat merge $file > out 2> err
    case $? in 0 | 65) ;; *) echo "$file: $?"; cat err ;; esac
done
