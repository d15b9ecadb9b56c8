# What encloses all steps, and epochs that are made of them, take no part in how long a step takes and what it uses: at 360 W a
# step of 2 s takes 0.2 Wh, an epoch of 10 s 1 Wh. --event chooses another.
mkdir around epochs alone hosts
{ echo timestamp,host,gpu,power_w,gpu_util; for t in $(seq 0 130); do echo $((1714564800 + t)),n1,0,360,90; done; } > around/gpu.csv
for run in epochs alone; do cp around/gpu.csv $run; done
{ cat around/gpu.csv; sed '1d;s/n1/n2/' around/gpu.csv; } > hosts/gpu.csv
span() { echo "$1,$((1714564800 + $2)),$((1714564800 + $3))"; }
steps() { for i in $(seq 0 "$2" 118); do span "$1" "$i" $((i + 2)); done; }
epochs() { for i in $(seq 0 12 119); do span epoch "$i" $((i + 10)); done; }
{ echo name,start,stop; span job 0 125; steps train_step 2; } > around/spans.csv
{ echo name,start,stop; span job 0 125; epochs; for i in $(seq 0 12 118); do for k in 0 2 4 6; do span train_step $((i + k)) $((i + k + 2)); done; span eval $((i + 8)) $((i + 10)); done; } > epochs/spans.csv
{ echo name,start,stop; span run 0 125; epochs; } > alone/spans.csv
{ echo host,name,start,stop; for h in n1 n2; do { span job 0 125; steps train_step 2; } | sed "s/^/$h,/"; done; } > hosts/spans.csv
for run in around epochs alone hosts 'epochs --event eval'; do
    # shellcheck disable=SC2086 # an option beside the folder
    gpustat report $run -o out -q > /dev/null
    grep -oh '^\*\*.*\|Read as[^.]*\|^- Each.*' out/report.md
done
