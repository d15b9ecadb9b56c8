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
# llm.c says it between bars alone. A program that stands in its own log, with one look at the GPUs, is none of its steps.
python3 - <<'P'
with open("llmc.log", "w") as f:
    for i in range(1, 41):
        print(f"step {i:5}/19560 | loss {7 - i / 100:.6f} (+nanz)| norm 4.1 (+nanz)| lr 1.00e-05 | {500 + i:.2f} ms | 50.2% bf16 MFU | 1,023,000 tok/s", file=f)
with open("whole.log", "w") as f:
    print("import os\nclass Muon(Optimizer):\n    lr: step size\n    def step(self):\n        for i, p in enumerate(params): update = 1.0\n"
          'print0(f"step:{step}/{n} train_time:{ms:.0f}ms step_avg:{ms/max(step, 1):.2f}ms")\n' + 60 * "=", file=f)
    print("Wed Apr  2 09:00:12 2025\n| NVIDIA-SMI 550.127.05             Driver Version: 550.127.05     CUDA Version: 12.6     |\n"
          "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:61:00.0 Off |                    0 |\n"
          "| N/A   33C    P0            116W /  700W |    5856MiB /  81559MiB |      0%      Default |", file=f)
    for i in range(41):
        print(f"step:{i}/40 val_loss:4.5 train_time:{500 * i}ms step_avg:500.00ms\n" * (i % 10 == 0) +
              f"step:{i}/40 train_time:{500 * i}ms step_avg:500.00ms\n" * (i > 0), end="", file=f)
P
gpustat events llmc.log --show event,n,duration_mean_ms --format csv 2> err
gpustat events whole.log --show event,n,duration_mean_ms --format csv 2> err
