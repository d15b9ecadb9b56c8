# Jobs that name their GPUs by UUID alone: the whole run knows whose they are, and so does a shard that reads all files. A shard of
# a split that has read its own files only would count a job on each.
mkdir run
{ echo time,hostname,uuid,power_w; for i in 0 1 2 3; do for h in a b c; do for g in 0 1; do
    echo "2026-01-01T00:00:0$i.0Z,$h,GPU-$h$g-0000-0000,100"; done; done; done; } > run/gpu.csv
{ echo job_id,user,start,end,gpu_uuid; for h in a b c; do
    echo "1$h,ann,2026-01-01T00:00:00.0Z,2026-01-01T00:00:03.0Z,GPU-${h}0-0000-0000"; done; } > run/jobs.csv
ask() { gpustat "$@" -q -f csv --show job,gpus,energy_j; }
ask jobs run > whole && cat whole
for i in 1 2; do gpustat jobs run --shard $i/2 --partial $i.part -q; done
ask merge 1.part 2.part | cmp - whole && echo same
gpustat split run -o parts --parts 2 -q > listed
ask jobs parts | cmp - whole && echo same
gpustat jobs parts --shard 1/2 --partial 3.part -q
