# Notes and headings name what a run of the kind has: tasks are of a farm alone.
unset GPUSTAT_SHOW
gpus() { awk 'BEGIN { print "timestamp,hostname,gpu,power_w,gpu_util_pct"; for (i = 0; i < 120; i++) for (g = 0; g < 2; g++) printf "2025-11-21T10:%02d:%02dZ,n0,%d,%d,90\n", i / 60, i % 60, g, 200 + i % 5 + g }'; }
at() { printf '2025-11-21T10:%02d:%02dZ' $(($1 / 60)) $(($1 % 60)); }
kinds='log steps phases a-site trace mixed'
for run in $kinds; do mkdir $run; gpus > $run/gpu.csv; done
{ echo event,start,stop; for i in $(seq 0 2 100); do echo "train_step,$(at $i),$(at $((i + 2)))"; done; } > steps/e.csv
{ echo event,start,stop; echo "load,$(at 0),$(at 20)"; for i in 20 60; do echo "train,$(at $i),$(at $((i + 35)))"; done; } > phases/e.csv
{ echo 'JobIDRaw|User|State|JobName|Start|End|NodeList|AllocTRES'; for i in 1 2 3; do echo "$i|ann|DONE|train|2025-11-21T10:00:0$i|2025-11-21T10:00:4$i|n0|gres/gpu=1"; done; } > a-site/e.txt
{ echo event,start,stop; for i in $(seq 100 300); do echo "k$((i % 6)),2025-11-21T10:00:01.${i}Z,2025-11-21T10:00:01.${i}5Z"; done; } > trace/e.csv
{ echo event,user,state,start,stop; echo "job1,ann,DONE,$(at 0),$(at 90)"; for i in 10 30 50; do echo "fit,,,$(at $i),$(at $((i + 9)))"; done; } > mixed/e.csv
for run in $kinds; do
    echo "$run: $(gpustat $run | grep -o '^Read as [^:]*')"
    for command in power gpus events timeline balance check stragglers clusters summary; do
        gpustat $command $run -v 2>&1 | grep -i 'tasks\? \|tasks\?$\|checkpoint\|tiles\?\b' | grep -v '^checkpoint_\|not equal tasks' | sed "s/^/$run: $command: /"
    done
    gpustat report $run -o r-$run -q > /dev/null 2>&1
    grep -io '[^.|]*\btasks\?\b[^.|]*' r-$run/report.md | grep -v 'kind farm\|^\* GPUs and task time' | sed "s/^/$run: report: /"
done
