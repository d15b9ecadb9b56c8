# A quote, a backslash and a line's end within a label are what the exporter escaped them as.
for t in 1700000000000 1700000001000; do
    printf 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-0",Hostname="a\\"b\\\\c"} 100 %s\n' $t
    printf 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",Hostname="d\\ne"} 200 %s\n' $t
done > m.prom
cat m.prom
gpustat gpus m.prom -q -f json | grep -o '"hostname": "[^,]*'
