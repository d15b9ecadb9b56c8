# Tables print the heading "host": options that name a column take it as they take hostname.
printf '%s\n' timestamp,hostname,gpu,power_w 2025-11-01T00:00:00Z,n1,0,100 2025-11-01T00:01:00Z,n1,0,100 \
    2025-11-01T00:00:00Z,n2,0,200 2025-11-01T00:01:00Z,n2,0,200 > log.csv
unset GPUSTAT_SHOW GPUSTAT_VERBOSE
gpustat gpus log.csv -q -f csv --filter host=n2 --show Host,GPU
gpustat gpus log.csv -q -f csv --sort HOST:desc --show hostname
gpustat gpus log.csv -q -f csv --show host --fail-if host=n2; echo $?
gpustat gpus log.csv -q --filter hots=n2; echo $?
