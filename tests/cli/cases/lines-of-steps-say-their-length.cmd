# Every tenth step with the mean time of one, and an evaluation of 60 s between two lines: 10 times 5 s each, the first too.
# A total of the time since training began is a clock of its own.
python3 - <<'P'
t = 60
with open("megatron.log", "w") as f:
    for i in range(10, 101, 10):
        print(f" [2026-03-10 12:{t // 60:02}:{t % 60:02}] iteration {i:8}/ 100 | elapsed time per iteration (ms): 5000.0 | lm loss: {10 / i:E} |", file=f)
        t += 110 if i == 50 else 50
with open("modded.log", "w") as f:
    for i in range(1, 21):
        print(f"step:{i}/20 train_time:{60 * i + i % 2}ms step_avg:{60 + i % 2 / i:.2f}ms", file=f)
P
gpustat events megatron.log modded.log --show event,n,duration_mean_ms --format csv 2> err
gpustat events megatron.log --show event,n,duration_mean_ms --format csv 2> err
gpustat events modded.log --show event,n,duration_mean_ms --format csv 2> err
