# The GPU takes 300 W from 12:01:00 to 12:09:00, else 60 W: 96 steps of 5 s, or 480 of one, as trainers print them without a clock, are 144 kJ.
exec 2>&1
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 600; i++) printf "2024-05-01T12:%02d:%02dZ, %d W\n", i / 60, i % 60, (i >= 60 && i < 540 ? 300 : 60) }' > gpu.csv
cat > bars.py <<'P'
import sys
def clock(s): return "%02d:%02d" % (s // 60, s % 60)
def bar(n, total, elapsed, rate, what="", end="\r"):
    return "%s%3d%%|%s| %d/%d [%s<%s, %s]%s" % (what, 100 * n // total, "█" * (10 * n // total), n, total, clock(elapsed), clock(9), rate, end)
kind = sys.argv[1]
if kind == "one": # over one another, with a message between
    print("Loading:" + bar(1, 2, 3, "2.1GB/s") + "".join(bar(n, 96, 5 * n, " 5.00s/it, loss=1.2") for n in range(97)))
elif kind == "epochs": # each on its line
    for e in range(4):
        print("".join(bar(n, 24, 5 * n, " 5.00s/it", "Epoch %d: " % e, "\n") for n in range(25)), end="")
elif kind == "fast": # five steps in two seconds: most bars have the clock of the one before
    print("".join(bar(n, 1200, n * 2 // 5, "2.50it/s") for n in range(1201)))
elif kind == "mixed": # an evaluation's own bar
    for e in range(4):
        print("".join(bar(n, 20, 5 * n, " 5.00s/it", "Training: ", "\n") for n in range(21)) + "".join(bar(n, 10, 2 * n, " 2.00s/it", "Evaluating: ", "\n") for n in range(11)), end="")
elif kind == "amid": # a validation of 20 s amid each epoch, whose bar goes on
    for e in range(4):
        for n in range(21):
            print(bar(n, 20, 5 * n + 20 * (n > 10), " 0.20it/s", "Epoch %d: " % e, "\n"), end="")
            if n == 10:
                print("".join(bar(k, 10, 2 * k, " 2.00s/it", "Validation DataLoader 0: ", "\n") for k in range(11)), end="")
elif kind == "fairseq":
    for n in range(1, 49):
        t = 60 + 10 * n
        print('2024-05-01 12:%02d:%02d | INFO | train_inner | {"epoch": %d, "update": %.3f, "loss": "2.5", "num_updates": "%d", "wall": "%d"}' % (t // 60, t % 60, 1 + n // 25, n / 25, 100 * n, t))
elif kind == "readings": # what stands in front of a bar changes with each step
    print("".join(bar(n, 96, 5 * n, " 5.00s/it", "%d|Loss: %.2f: " % (n, 9 - n / 20)) for n in range(97)))
elif kind == "inside": # evaluations of 20 s without a name amid the steps
    print("".join(bar(n, 88, 5 * n + 20 * (n > 44), " 5.00s/it") + ("".join(bar(k, 20, k, " 1.00s/it") for k in range(21)) if n in (44, 88) else "") for n in range(89)))
else: # a dictionary of transformers' Trainer, perhaps behind a time
    for n in range(1, 49):
        t = 60 + 10 * n
        print(("2024-05-01 12:%02d:%02d " % (t // 60, t % 60) if kind == "timed" else "") + "{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': %.2f}" % (n / 16))
P
for kind in one epochs fast mixed amid readings inside fairseq timed dictionary; do
    rm -rf run && mkdir run && cp gpu.csv run && PYTHONIOENCODING=utf-8 python3 bars.py $kind > run/train.out
    echo "$kind"
    gpustat events run -q -f csv --show event,n,duration_mean_ms,energy_sum_j
done
gpustat map run/train.out
PYTHONIOENCODING=utf-8 python3 bars.py one > run/train.out; gpustat map run -q | grep -o '"form": "[^"]*"'
