# What samples and events say of hosts and GPUs does not go together: each is refused with what to type, and that works.
samples() { # COLUMNS VALUES: eight seconds
    echo "timestamp,$1"
    for s in 0 1 2 3 4 5 6 7; do echo "2026-01-01T00:00:0${s}Z,$2"; done
}
spans() { # COLUMNS VALUE...
    echo "start,stop,event$1"
    shift
    for value in "$@"; do echo "2026-01-01T00:00:01Z,2026-01-01T00:00:05Z,step$value"; done
}
samples power_w 100 > log.csv
spans ,host ,n1 ,n2 > hosts.csv
gpustat events --events hosts.csv --samples log.csv -q -f csv; echo $?
gpustat events --events hosts.csv --samples log.csv --set samples.host.text=n1 -q -f csv --show event,n,energy_sum_j
spans ,gpu ,0 ,1 > gpus.csv
gpustat events --events gpus.csv --samples log.csv -q -f csv; echo $?
gpustat events --events gpus.csv --samples log.csv --set events.gpu= -q -f csv --show event,n,energy_sum_j
{ samples host,power_w n1,100; samples host,power_w n2,200 | tail -n +2; } > two.csv
spans '' '' > a.csv
spans '' '' > b.csv
gpustat events --events a.csv --events b.csv --samples two.csv -q -f csv; echo $?
samples host,gpu,power_w n1,0,100 > one.csv
samples hostname,gpu_index,power_draw_w n1,0,300 > other.csv
gpustat gpus one.csv other.csv -q -f csv; echo $?
# UTF-16 of any plane is what its UTF-8 is.
samples host,power_w 节点😀ö,100 > utf8.csv
iconv -f UTF-8 -t UTF-16 utf8.csv > utf16.csv
gpustat gpus utf8.csv -q -f csv > whole
gpustat gpus utf16.csv -q -f csv | cmp - whole && echo same
