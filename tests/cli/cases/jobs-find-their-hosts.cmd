# A domain, the port of an exporter or the case of letters makes no other host; the dates are LSF's.
printf '%s\n' 'JOBID,USER,STAT,EXEC_HOST,START_TIME,FINISH_TIME,NGPUS' '1,ann,DONE,2*n1:2*n2,Mar 10 20:00:00 2025,Mar 10 20:30:00 2025,4' > jobs.csv
for host in n%d n%d.site.org n%d:9400 N%d; do
    awk -v host="$host" 'BEGIN { print "timestamp,hostname,gpu,power_w"
        for (k = 0; k <= 60; k++) for (n = 1; n <= 2; n++) for (g = 0; g < 2; g++)
            printf "2025-03-10T%02d:%02d:00Z," host ",%d,%d\n", 20 + k / 60, k % 60, n, g, 100 * n + g }' > gpu.csv
    gpustat jobs --samples gpu.csv --events jobs.csv --tz UTC -f csv --show job,gpus,gpu_h,energy_j 2>&1 | grep -v 'readings\|show\|reaches\|began'
done
# Exporters repeat a GPU's power for each of its instances of MIG: their sum is no energy.
awk 'BEGIN { print "timestamp,hostname,gpu,GPU_I_ID,UUID,power_w"
    for (k = 0; k <= 60; k++) for (i = 0; i < 3; i++) printf "2025-03-10T%02d:%02d:00Z,n1,0,%d,MIG-%d,%d\n", 20 + k / 60, k % 60, i, i, 300 + k % 7 }' > mig.csv
gpustat power mig.csv -f csv --show energy_j 2>&1 | grep 'MIG\|^[0-9]'
gpustat power mig.csv --set samples.where.GPU_I_ID=0 -f csv --show energy_j 2>&1 | grep 'MIG\|^[0-9]'
