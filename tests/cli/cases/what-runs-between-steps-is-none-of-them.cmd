# Steps of 5 s; every 20th is followed by an evaluation or a checkpoint of 20 s, told in a dozen ways. At 100 W a step is 500 J.
exec 2>&1
awk 'BEGIN { print "timestamp,power.draw [W]"; for (i = 0; i < 600; i++) printf "2024-05-01T12:%02d:%02dZ, 100 W\n", i / 60, i % 60 }' > gpu.csv
steps() # form of a step's line, what stands at the begin of a pause, what at its end (%d: the step)
{
    awk -v step="$1" -v begin="$2" -v end="$3" 'function line(form) { if (form != "") printf "2024-05-01%s12:%02d:%02d" form "\n", sep, t / 60, t % 60, i }
        BEGIN { sep = (step ~ /^[,"]/ ? "T" : " "); for (t = i = 0; i < 80;) { t += 5; i++; line(step); if (i % 20 == 0) { line(begin); t += 20; line(end) } } }'
}
check() { gpustat events gpu.csv $1 -q -f csv --show event,n,duration_min_ms,duration_max_ms,energy_sum_j | tail -n +2; }
steps ' INFO step %d loss 2.1' ' INFO evaluation started' ' INFO evaluation finished' > a.log; check a.log
steps ' INFO step %d loss 2.1' '' ' INFO validation loss 2.5 (took 20.0 s)' > a.log; check a.log
steps ' INFO step %d loss 2.1' '' ' INFO checkpoint saved to ckpt.pt' > a.log; check a.log
steps ' [INFO] step: %d, loss: 2.1' '' ' [INFO] step: %d, eval_loss: 2.5' > a.log; check a.log
steps ' step %d loss 2.1' '' ' step %d saved' > a.log; check a.log
steps ' step %d loss 2.1' ' saving checkpoint to ckpt.pt' '' > a.log; check a.log # when it ended is not told
{ echo timestamp,step,loss,eval_loss; steps ',%d,2.1,' '' ',%d,,2.5'; } > a.csv; check a.csv
{ echo timestamp,split,step,loss; steps ',train,%d,2.1' '' ',eval,%d,2.5'; } > a.csv; check a.csv
{ echo timestamp,phase,step; steps ',train,%d' '' ',val,'; } > a.csv; check a.csv
steps '", "step": %d, "loss": 2.1}' '' '", "eval/loss": 2.5}' | sed 's/^/{"time": "/' > a.jsonl; check a.jsonl
# What stands within a step cuts none, nor does a stall that no line explains.
steps ' step %d loss 2.1' '' '' | awk '{ print } / [0-9]*3 loss/ { sub(/12:.*/, "12:" substr($2, 4, 2) ":" sprintf("%02d", substr($2, 7) + 2) "  WARNING loading lags"); print }' > a.log; check a.log
# Of 10 steps each; a healthy list is no finding.
steps ' iter %d loss 2.1' '' ' eval loss 2.5' | awk '{ i = $4 } !/iter/ || i % 10 == 0 { print }' > a.log; check a.log
gpustat check gpu.csv a.log -q -f csv --show severity,finding
