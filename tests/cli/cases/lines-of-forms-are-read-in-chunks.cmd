# JSON lines and lines of InfluxDB are cut into chunks for the threads. What comes through gzip is read in order, by the
# forms themselves: the same bytes, whatever stands in the middle of the file or at its end.
lines()
{
    awk -v form="$1" -v odd="$2" 'BEGIN {
        for (i = 0; i < 9000; i++) {
            host = "node" i % 3; gpu = "GPU-" i % 5; w = 100 + i % 7 / 4; t = 1700000000 + int(i / 5)
            if (form == "influx") {
                name = odd == "escape" && i == 5000 ? "NVIDIA\\ A100\\,\\ 80GB" : "NVIDIA\\ A100"
                if (odd == "comment" && i == 5000) print "# a comment\n"
                if (odd == "other" && i % 4 == 1) printf "cpu,host=%s usage_idle=%d,usage_user=1 %d000000000\n", host, i % 90, t
                printf "nvidia_smi,host=%s,name=%s,uuid=%s power_draw=%s,temperature_gpu=%di,pstate=\"P%d\"", host, name, gpu, w, 40 + i % 9, i % 3
                printf odd == "short" && i == 5000 ? " %d\n" : " %d000000000\n", t
                continue
            }
            if (odd == "blank" && i == 5000) print "\n"
            if (odd == "pretty" && i == 5000) { printf "{\n\"time\": %d,\n\"host\": \"%s\", \"uuid\": \"%s\", \"gpu\": {\"power_w\": %s}\n}\n", t, host, gpu, w; continue }
            if (odd == "two" && i == 5000) printf "{\"time\":%d,\"host\":\"%s\",\"uuid\":\"%s\",\"gpu\":{\"power_w\":null}} ", t + 1, host, gpu
            if (odd == "escape" && i == 5000) host = "no\\u0064e0\\\""
            if (odd == "quote" && i == 5000) host = "a,b"
            printf "{\"time\":%d,\"host\":\"%s\",\"uuid\":\"%s\",\"gpu\":{\"power_w\":%s", t, host, gpu, odd == "null" && i % 10 == 0 ? "null" : w
            if (odd == "late" && i > 5000) printf ",\"temp_c\":%d", 40 + i % 9
            print odd == "list" && i == 5000 ? "},\"load\":[1,2]}" : "}}"
        }
        if (form == "json" && odd == "torn") printf "{\"time\":17000"
    }'
}
try()
{
    lines "$1" "$2" > run.log
    gzip -c run.log > run.log.gz
    for way in "run.log -j 1" "run.log -j 3" "run.log.gz -j 3"; do
        # shellcheck disable=SC2086
        gpustat gpus $way --format csv 2>&1 | sed 's/run.log.gz/run.log/' > "${way// /_}"
    done
    cmp run.log_-j_1 run.log_-j_3 && cmp run.log_-j_1 run.log.gz_-j_3 && echo "$1 $2: $(wc -l < run.log_-j_1) lines"
}
for odd in plain blank pretty two escape quote null late list torn; do try json $odd; done
for odd in plain escape comment other short; do try influx $odd; done
lines json null > run.log
gpustat check run.log -j 1 > one 2>&1; gpustat check run.log -j 3 2>&1 | cmp one -; head -n 6 one
gpustat gpus run.log --format csv 2> whole.err > whole; gpustat gpus run.log --format csv --max-memory 8M 2> passes.err | cmp whole - && echo "in passes: the same"
head -n 1 passes.err
