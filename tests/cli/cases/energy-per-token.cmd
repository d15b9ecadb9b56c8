# Counts that stand beside steps are attributes, a running total is none; --per divides the energy by them, in one process or two.
for h in a b; do
    mkdir $h
    awk -v h=$h 'BEGIN { print "timestamp,hostname,gpu,power_w"; for (i = 0; i < 60; i++) printf "2026-03-04T09:00:%02dZ,%s,0,300\n", i, h }' > $h/gpu.csv
    awk -v h=$h 'BEGIN { print "step,hostname,end,step_time_s,tokens,total_tokens"; for (i = 1; i <= 20; i++) printf "%d,%s,2026-03-04T09:00:%02dZ,2,%d,%d\n", i, h, 2 * i + 10, 4000 + 100 * (i % 3), 4000 * i }' > $h/steps.csv
done
mkdir both; for h in a b; do for t in gpu steps; do cp $h/$t.csv both/$h-$t.csv; done; done
gpustat events a -q --per tokens
gpustat events both -q --per tokens --by host -f csv --show hostname,n,energy_sum_j,items,energy_per_item_j
for h in a b; do gpustat events $h -q --per tokens --part $([ $h = a ] && echo 1 || echo 2)/2 --partial $h.gsp; done
gpustat merge a.gsp b.gsp -q -f csv --show event,n,energy_sum_j,items,energy_per_item_j
gpustat events both -q --per tokens -f csv --show event,n,energy_sum_j,items,energy_per_item_j
gpustat events a --per total_tokens
