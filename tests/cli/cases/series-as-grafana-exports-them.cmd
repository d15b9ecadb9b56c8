# What Grafana's panels give as CSV: a column of each series, called NAME{labels} or by its labels alone, or a row of each.
printf 'name,start,stop\nrun,2024-05-01T12:00:00Z,2024-05-01T12:00:04Z\n' > spans.csv
of_gpus() { gpustat gpus --samples "$1" --events spans.csv --tz UTC -q -f csv 2>&1 | cut -d, -f 1,3-6; }
table() # HEADER CELLS
{
    echo "\"Time\",$1"
    for k in 0 2 4; do echo "2024-05-01 12:00:0$k,$2"; done
}
power=DCGM_FI_DEV_POWER_USAGE temp=DCGM_FI_DEV_GPU_TEMP
table '"'$power'{gpu=""0"", instance=""n1:9400""}","'$power'{gpu=""1"", instance=""n1:9400""}","'$power'{gpu=""0"", instance=""n2:9400""}"' 100,200,300 > names.csv
table '"{__name__=""'$power'"", gpu=""0"", instance=""n1:9400""}","{__name__=""'$temp'"", gpu=""0"", instance=""n1:9400""}"' 100,40 > inside.csv
table '"{UUID=""GPU-1"", instance=""n1:9400"", job=""a""}","{UUID=""GPU-2"", instance=""n1:9400"", job=""b""}"' '100 W,0.2 kW' > units.csv
{
    echo '"Series";"Time";"Value"'
    for gpu in 0 1; do for k in 0 2 4; do
        echo '"'$power'{gpu=""'$gpu'"",instance=""n1:9400""}";"2024-05-01T12:00:0'$k'+00:00";'$gpu'00'
        echo '"'$temp'{gpu=""'$gpu'"",instance=""n1:9400""}";"2024-05-01T12:00:0'$k'+00:00";40'
    done; done
} > rows.csv
for log in names inside units rows; do of_gpus $log.csv; done
gpustat map names.csv -q | grep -o '"columns".*,'; gpustat map rows.csv -q | grep -E '"(gpu|host)"'
# What stays open is an error with what to type: two series of one GPU, labels of several kinds, no unit.
table '"'$power'{gpu=""0"",job=""a""}","'$power'{gpu=""0"",job=""b""}"' 100,100 > twice.csv
table '"'$power'{gpu=""0""}","'$power'{gpu=""1"",pod=""x""}"' 100,100 > kinds.csv
table '"{gpu=""0""}","{gpu=""1""}"' 100,100 > bare.csv
table '"'$power'{gpu=""0"",job=""a""}","'$power'{gpu=""0"",job=""b""}","'$temp'{gpu=""0"",job=""a""}"' 100,100,40 > both.csv
for log in twice kinds bare both; do gpustat map $log.csv -q 2>&1; done
gpustat map bare.csv -q --set 'samples.metrics.power_w.columns=\{gpu="{gpu}"\}' --set samples.metrics.power_w.unit=W | grep -o '"rows.*'
