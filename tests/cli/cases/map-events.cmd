# Events in any vocabulary, spans, and forms that hold nothing else.
show()
{
    gpustat map "$@" > map.json && grep -vE '^(\{|\}|  []"]|    [{}])' map.json
}
printf 'time,event,phase\n2024-05-01T12:00:00Z,load,begin\n2024-05-01T12:00:01Z,load,end\n' > a.csv; show a.csv
printf 'ts_ms,event\n1714564800000,epoch.started\n1714564801000,epoch.finished\n' > b.csv; show b.csv
printf 'time|name\n2024-05-01T12:00:00Z|begin step\n2024-05-01T12:00:01Z|end step\n' > c.csv; show c.csv
printf 'name,start,duration_ms\nstep,2024-05-01T12:00:00Z,500\n' > d.csv; show d.csv
printf 'start_time,window_name,elapsed_time,gpu0_energy\n2024-05-01 12:00:00,epoch,1.5,100\n' > zeus.csv; show zeus.csv
printf 'JobID|JobName|NodeList|Start|End|State\n12|train|n[01-03],m7|2024-05-01T12:00:00|2024-05-01T12:10:00|COMPLETED\n12.batch|batch|n01|2024-05-01T12:00:00|2024-05-01T12:10:00|COMPLETED\n13|test|n01|2024-05-01T12:00:00|Unknown|RUNNING\n' > sacct.txt; show sacct.txt
printf 'noise\n0: :::MLLOG {"time_ms": 1714564800000, "event_type": "INTERVAL_START", "key": "epoch_start", "metadata": {"epoch_num": 3}}\n:::MLLOG {"time_ms": 1714564801000, "event_type": "INTERVAL_END", "key": "epoch_stop", "metadata": {"epoch_num": 3}}\n' > mllog.txt; show mllog.txt
printf '{"traceEvents":[{"ph":"X","cat":"kernel","name":"gemm","ts":4203669604595.407,"dur":12.5,"args":{"device":0}},{"ph":"B","cat":"user_annotation","name":"step","ts":4203669604000,"pid":1,"tid":1},{"ph":"E","ts":4203669605000,"pid":1,"tid":1},{"ph":"M","name":"x"}],"baseTimeNanoseconds": 1710000000000000000}' > trace.json; show trace.json
