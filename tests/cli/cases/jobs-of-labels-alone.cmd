# Samples that name their job, and no list of jobs: a row for each, from its first sample to an interval after its last. Job c is
# on both hosts, b comes back to GPU 0 of n1 after d had it; two jobs have GPU 1 of n2 at once. Rows add up to the fleet.
awk 'BEGIN { print "timestamp,hostname,index,power.draw [W],hpc_job,user"
    for (k = 0; k < 60; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 2; g++) {
        job = k < 20 ? "c" : ""
        if (n == 1 && g == 0 && k >= 30) job = k < 40 || k >= 50 ? "b" : "d"
        row = sprintf("2025-03-10T20:%02d:00Z,n%d,%d,%d.5", k, n, g, 100 * n + (k * 7 + g * 3) % 11)
        print row "," job "," (job == "" ? "" : job == "c" ? "ann" : "bob")
        if (n == 2 && g == 1 && k >= 40) print row ",e,eve\n" row ",f,ann"
    } }' > gpu.csv
show=job,user,start,stop,jobs,wall_h,gpus,gpu_h,energy_j,attribution,cut
gpustat jobs gpu.csv -f csv --show $show
for by in user host,user hour; do gpustat jobs gpu.csv --by $by -q -f csv --show $by,jobs,wall_h,gpus,gpu_h,energy_j; done
total() { awk -F, 'NR > 1 {sum += $NF} END {printf "%.6f\n", sum}'; }
gpustat gpus gpu.csv -q -f csv --show gpu_uuid,energy_j | total
for by in job user host day; do gpustat jobs gpu.csv --by $by -q -f csv --show $by,energy_j | total; done
{ head -n 1 gpu.csv; tail -n +2 gpu.csv | sort -t, -k 4; } > turned.csv
for by in job user; do
    gpustat jobs gpu.csv --by $by -q -f csv > one.csv
    gpustat jobs turned.csv --by $by -q -f csv -j 4 | cmp - one.csv
    for i in 1 2 3; do gpustat jobs gpu.csv --by $by -q --shard $i/3 --partial $i.part; done
    gpustat merge 1.part 2.part 3.part -q -f csv | cmp - one.csv
done
# Pods, where the exporter's own pod is none; the namespace is the account.
metric() { # K GPU LABELS
    echo "DCGM_FI_DEV_POWER_USAGE{gpu=\"$2\",UUID=\"GPU-$2\",Hostname=\"n1\",$3} $((100 + $1 % 7)) $((1741636800000 + $1 * 60000))"
}
for k in {0..29}; do
    metric $k 0 "pod=\"$([ $k -lt 10 ] && echo train-0)\",namespace=\"$([ $k -lt 10 ] && echo team-a)\""
    metric $k 1 'pod="infer-0",namespace="team-b"'
done > pods.prom
gpustat jobs pods.prom -q -f csv --show job,user,account,start,stop,gpus,gpu_h,energy_j
gpustat split pods.prom -n 2 -o parts -q && gpustat jobs parts -q -f csv --by account --show account,gpu_h,energy_j
sed 's/pod="[^"]*"/exported_&,pod="dcgm-exporter-x1"/' pods.prom > exported.prom
gpustat jobs exported.prom -q -f csv --show job,account,gpu_h
sed 's/pod="[^"]*"/pod="dcgm-exporter-x1"/' pods.prom > exporter.prom
gpustat jobs exporter.prom
cut -d, -f 1-4 gpu.csv > plain.csv
gpustat jobs plain.csv
