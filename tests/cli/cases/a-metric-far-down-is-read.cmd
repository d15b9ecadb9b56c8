# Prometheus sorts series by their names: the beginning of a large file is all of one metric, and the next begins behind it.
awk 'BEGIN {
    printf "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
    split("DCGM_FI_DEV_POWER_USAGE DCGM_FI_DEV_GPU_TEMP other_total", name)
    for (m = 1; m <= 3; m++)
        for (g = 0; g < 4; g++) {
            printf "%s{\"metric\":{\"__name__\":\"%s\",\"hostname\":\"n%d\",\"gpu\":\"%d\"},\"values\":[", (g + m > 1 ? "," : ""), name[m], g % 2, int(g / 2)
            for (i = 0; i < 15000; i++)
                printf "%s[%d,\"%d\"]", (i > 0 ? "," : ""), 1700000000 + 15 * i, (m == 1 ? 200 + i % 10 : 40 + g)
            printf "]}"
        }
    print "]}}"
}' > fleet.json
gpustat map fleet.json | grep -E '"metrics"|"found"'
gpustat gpus fleet.json --format csv 2> /dev/null | cut -d, -f 1-6
# A list that is not as long as that of the times is left out, and said.
echo '{"time":["2024-05-01T00:00:00Z","2024-05-01T00:00:01Z","2024-05-01T00:00:02Z"],"power_w":[100,101,102],"temp_c":[40,41]}' > lists.json
gpustat gpus lists.json --format csv | cut -d, -f 1-6
