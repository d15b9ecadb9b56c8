# A table of runs without instants: what is refused can be said with --set.
printf 'ts,version,np,total_time_s\n2025-05-06 16:08:39,V1 Serial,1,1.158\n2025-05-06 16:08:48,V2,1,1.9337\n' > runs.csv
gpustat events runs.csv
gpustat events runs.csv --set events.event=version --set events.duration=total_time_s -f csv --show event,duration_mean_ms 2>&1
# Percentiles are names; how many requests were completed is no end.
printf 'Timestamp,Name,Requests/s,50%%,99%%\n1773144010,all,1.0,100,110\n1773144011,all,1.0,100,120\n' > locust.csv
gpustat power locust.csv
echo '{"date": "20260310-120010", "duration": 200.0, "completed": 200, "ttfts": [0.05, 0.05]}' > vllm.json
gpustat events vllm.json
# A folder of one file has no other clock.
mkdir one && printf 't_ms,P_mW\n0,200000\n10,201000\n20,202000\n' > one/meter.csv
gpustat power one -f csv --show power_mean_w -q
