# A log of every tenth step without a date: each line is of the steps since the line before, as long as it says one took.
python3 - <<'END'
with open("smi.csv", "w") as f:
    print("timestamp,index,power_w,gpu_util", file=f)
    for k in range(300):
        busy = 20 <= k < 228
        print(f"2025-04-02T09:{k // 60:02}:{k % 60:02}Z,0,{400 if busy else 70},{97 if busy else 0}", file=f)
steps = [8.0 if i == 0 else 2.0 for i in range(101)]  # busy for 208 s
def log(name, line, numbers): open(name, "w").write("".join(line(i) for i in numbers))
log("megatron.txt", lambda i: f" iteration {i:8}/     100 | consumed samples: {64 * i:12} | elapsed time per iteration (ms): {2600.0 if i == 10 else 2000.0} | lm loss: 1.0E+00 |\n", range(10, 101, 10))
log("nano.txt", lambda i: f"iter {i}: loss 3.0, time {steps[i] * 1000:.2f}ms, mfu 30.00%\n", range(0, 101, 10))
log("first.jsonl", lambda i: f'{{"step": {i}, "loss": 3, "step_time": {steps[i - 1]}}}\n', [1] + list(range(10, 101, 10)))
log("resumed.jsonl", lambda i: f'{{"step": {i}, "loss": 3, "step_time": 2.0}}\n', list(range(510, 551, 10)) + list(range(530, 581, 10)))
END
for log in megatron.txt nano.txt first.jsonl resumed.jsonl; do
    gpustat map smi.csv $log 2> /dev/null | grep -E '"event"|duration|1970'
    gpustat events smi.csv $log -f csv 2> err | cut -d, -f 1-3,15-17 | tail -n +2
    grep -E "$log" err
done
gpustat events smi.csv nano.txt --set events.duration.unit=ms -q -f csv | cut -d, -f 1-3 | tail -n +2
# nanoGPT's lines of every tenth iteration with one of each 50th, whose evaluation of 8 s is in the time of one step alone.
python3 - <<'END'
t = [10.0 if i % 50 == 0 else 2.0 for i in range(101)] # busy for 226 s
with open("eval.txt", "w") as f:
    for i in range(0, 101, 10):
        if i % 50 == 0:
            print(f"step {i}: train loss 3.1, val loss 3.2", file=f)
        print(f"iter {i}: loss 3.0, time {t[i] * 1000:.2f}ms, mfu 30.00%", file=f)
END
gpustat events smi.csv eval.txt -q -f csv | cut -d, -f 1-3
gpustat report smi.csv eval.txt -o out -q > /dev/null
grep -oh '^\*\*[^.]*\|Read as[^.]*\|^- Each.*' out/report.md
# torchtitan tells the first step, too; a clock of whole seconds makes 1 or 2 s of a step of 1.5 s, which is none that took long.
python3 - <<'END'
with open("titan.txt", "w") as f:
    for i in [1] + list(range(10, 101, 10)):
        s = 20 + 2 * i
        print(f"[rank0]:[titan] 2025-04-02 09:{s // 60:02}:{s % 60:02},000 - root - INFO - step: {i:2}  loss:  7.9  tps: 6,553", file=f)
with open("whole.csv", "w") as f:
    print("timestamp,step,loss", file=f)
    for i in range(120):
        s = 20 + 3 * i // 2
        print(f"2025-04-02T09:{s // 60:02}:{s % 60:02}Z,{i},2", file=f)
END
for log in titan.txt whole.csv; do
    gpustat report smi.csv $log -o out -q > /dev/null
    grep -oh '^\*\*[^.]*\|Read as[^.]*\|^- Each.*' out/report.md
done
# Where ten times as much is more than there is of the log, a length may be that of the ten steps before it: asked, not guessed.
for i in 0 1 2 3 4 5 6 7 8 9; do echo "Epoch 0 | Step ${i}0/100 | Loss: 2.$i | Time: 5.$((i * 7 % 10))s"; done > since.log
awk 'BEGIN { print "timestamp, index, power.draw [W], utilization.gpu [%]"; for (s = 0; s < 120; s++) { on = s >= 30 && s < 85
    printf "2025/04/02 09:%02d:%02d.000, 0, %d W, %d %%\n", s / 60, s % 60, on ? 300 : 60, on ? 98 : 0 } }' > short.csv
gpustat events short.csv since.log -q 2>&1
gpustat events short.csv since.log -q -f csv --show event,n,duration_mean_ms --set events.duration.unit=s
