# Twelve tasks of 30 to 41 s, four at once, on GPUs that their list does not name: a farm, not phases. Requests are an inference run. And
# steps whose lines say "finished in 10.3 seconds": twelve, not eleven from line to line.
awk 'BEGIN { print "timestamp,index,power_w,gpu_util_pct" > "gpu.csv"
    for (i = 0; i < 150; i++) for (g = 0; g < 4; g++) printf "2026-03-01 08:%02d:%02d,%d,%d,%d\n", i / 60, i % 60, g, 300, 98 > "gpu.csv"
    print "key,name,start,stop" > "tasks.csv"; print "request_id,endpoint,start,stop" > "requests.csv"
    for (k = 0; k < 12; k++) { a = 1772352000 + int(k / 4) * 42 + k % 4; b = a + 30 + k
        printf "fit-%x,fit,%d.5,%d.25\n", 41 * k + 777, a, b > "tasks.csv"; printf "%d,/generate,%d.5,%d.25\n", k, a, b > "requests.csv" }
    for (k = 1; k <= 12; k++) { t = k * 11 + 1
        printf "2026-03-01 08:%02d:%02d.000 | INFO     | __main__:train:52 - Epoch %d finished in 10.%d seconds\n", t / 60, t % 60, k, k % 3 > "train.log" } }'
for f in tasks.csv requests.csv train.log; do
    mkdir d && cp gpu.csv $f d && gpustat d -q | grep 'Read as'
    gpustat events d -q -f csv --show event,n,duration_mean_ms
    rm -r d
done
