# What trainers print line by line: steps with a time or a length. At 100 W a step costs 100 J a second.
{ echo 'timestamp,power.draw [W]'; for i in $(seq 0 59); do printf '2024-05-01 12:00:%02d, 100 W\n' "$i"; done; } > gpu.csv
at()
{
    for i in 1 2 3 4; do printf "$1\n" $((i * 10)) $i $i $i; done
}
{ echo 'training ...'; at ' [2024-05-01 12:00:%s] iteration        %s/      60 | consumed samples:  %s | elapsed time per iteration (ms): 250.%s | lm loss: 1.7E-01 |'; } > megatron.log
at '[rank0]:[titan] 2024-05-01 12:00:%s,000 - root - INFO - step:  %s  loss:  8.%s  memory: 12.32GiB(15.50%%%%)  tps: 7,00%s  mfu: 30.3%%%%' > torchtitan.log
at '2024-05-01 12:00:%s,123 - mmdet - INFO - Epoch [1][%s0/7330]\tlr: 1.9e-03, eta: 1 day, 2:03:04, time: 0.5%s, memory: 3828, loss: 2.%s' > mmdet.log
at '[2024-05-01 12:00:%s,123] [INFO] [timer.py:199:stop] epoch=0/micro_step=%s/global_step=%s, CurrSamplesPerSec=33.1, MemAllocated=3.2%sGB' > deepspeed.log
at '2024-05-01 12:00:%s step %s/120 | loss 1.64%s | 2%s0.5 ms/step | 13640 tok/s' > own.log
for f in megatron torchtitan mmdet deepspeed own; do
    echo "$f"
    gpustat events gpu.csv $f.log -q -f csv --show event,n,duration_mean_ms,energy_mean_j
done
{ echo 'number of parameters: 100.78M'; printf 'iter %s: loss 0.1%s, time %s.50ms, mfu 31.5%%\n' 0 1 800 1 2 700 2 3 900 3 4 600; } > nanogpt.log
at 'Epoch: [0][  %s/5005]\tTime  0.%s52 ( 0.456)\tData  0.012 ( 0.050)\tLoss 6.9%se+00 (7.%se+00)' | tac > imagenet.log
at 'INFO:__main__:step %s loss 3.%s step_time 0.%s s tokens_per_sec 1200%s' > accelerate.log
for f in nanogpt accelerate; do
    echo "$f"
    gpustat events gpu.csv $f.log --start 2024-05-01T12:00:05Z -f csv --show event,n,duration_mean_ms,energy_mean_j
done
# Not steps: numbers that fall, the time per step of an epoch, a table whose cells tell of steps.
gpustat map imagenet.log
printf 'Epoch %s/2\n1875/1875 - 5s - 3ms/step - loss: 0.3\n' 1 2 > keras.log; gpustat map keras.log
printf 'when,note\n2024-05-01T12:00:0%sZ,step 100%s\n' 1 1 2 2 3 3 > notes.csv; gpustat map notes.csv
# A logger writes what else it measured in rows of its own; the steps fit two stretches of the load.
printf 'gpu_stats,step,step_time\n7,1,\n7,1,\n,1,0.5\n8,2,\n,2,0.4\n,3,0.6\n9,3,\n' > lightning.csv
{ echo 'timestamp,power.draw [W]'; for i in $(seq 0 59); do printf '2024-05-01 12:00:%02d, %d W\n' "$i" $((50 + 200 * (i / 10 % 2))); done; } > twice.csv
gpustat events twice.csv lightning.csv -f csv --show event,n,duration_mean_ms,energy_mean_j
printf '7,4,\n,5,0.5\n' >> lightning.csv
gpustat events twice.csv lightning.csv
# Rows of every fifth step with a time are of all five; at 100 W a second of them costs 100 J.
for i in 1 2 3 4; do printf ' [2024-05-01 12:00:%s] iteration %s/60 | elapsed time per iteration (ms): 1980.0 | loss: 1.7 |\n' $((i * 10)) $((i * 5)); done > fifth.log
gpustat events gpu.csv fifth.log -q -f csv --show event,n,duration_mean_ms,energy_sum_j
# Two rows are too few to be each other's ends: each is the one step that its length is of.
printf 'step,timestamp,step_time\n5,2024-05-01T12:00:10Z,1.9\n10,2024-05-01T12:00:20Z,2.0\n' > two.csv; gpustat events gpu.csv two.csv -q -f csv --show event,n,energy_mean_j
# What stands before a dash is the logger's; a line without a length is of no step, and the others keep their times.
{ printf '2024-05-01 12:00:%s,900 - INFO - trainer - step %s/300 epoch 0 loss 2.4 time %ss tokens/s 110\n' 10 1 4.5 15 2 5.0 19 3 4.0 24 4 5.0; echo '2024-05-01 12:00:45,000 - INFO - trainer - Finished evaluation: val_loss=1.9'; } > python.log
gpustat events gpu.csv python.log -f csv --show event,n,duration_mean_ms,energy_mean_j
# A length that stands alone between bars, as llm.c prints, and one that "took".
for i in 1 2 3 4; do echo "step    $i/200 | loss 9.$i (+nanz)| norm 2.1 (+nanz)| lr 1.5e-04 | 11$i.25 ms | 54.9% bf16 MFU | 476000 tok/s"; done > llmc.log
for i in 0 1 2; do echo "Epoch $i | loss 2.000 | took 3$i.5s"; done > took.log
for log in llmc took; do gpustat events $log.log -q -f csv | cut -d, -f 1-3; done
