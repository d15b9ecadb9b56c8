# One row of readings for each GPU and instant, wherever its records lie: by instant, by metric, backwards, mixed.
awk 'BEGIN { for (t = 0; t < 30; t++) for (g = 0; g < 2; g++) {
    at = sprintf("2024-05-01T00:00:%02dZ,n1,%d", t, g)
    print at ",power_w," 100 + t * 3 + g; print at ",util_pct," t; if (t % 3) print at ",temp_c," 40 + t } }' > rows
{ echo time,host,gpu,metric,value; cat rows; } > by-instant.csv
{ echo time,host,gpu,metric,value; sort -t, -k4,4 -s rows; } > by-metric.csv
{ echo time,host,gpu,metric,value; tac rows; } > backwards.csv
{ echo time,host,gpu,metric,value; awk '{ print (NR * 7919) % 10007 "," $0 }' rows | sort -n | cut -d, -f2-; } > mixed.csv
gpustat gpus by-instant.csv --format csv 2> err | cut -d, -f1-6,11,12
for order in by-instant by-metric backwards mixed; do
    gpustat gpus $order.csv --format csv 2> /dev/null | cut -d, -f1-6,11,12 | md5sum
done | uniq -c | cut -c1-8
# Of several readings of one metric the first counts, of a late one too.
printf '%s\n' time,host,gpu,metric,value 2024-05-01T00:00:09Z,n1,0,power_w,100 2024-05-01T00:00:05Z,n1,0,power_w,7 \
    2024-05-01T00:00:01Z,n1,0,power_w,100 2024-05-01T00:00:05Z,n1,0,power_w,900 > twice.csv
gpustat gpus twice.csv --format csv 2> /dev/null | cut -d, -f3-5
# A label called as a series' own column hides none of its readings; a condition on each reading.
cat > range.json <<'JSON'
{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","Hostname":"a","gpu":"0"},"values":[[1714521600,"101"],[1714521601,"203"],[1714521602,"105"]]},
{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","Hostname":"a","gpu":"1","time":"noon"},"values":[[1714521600,"107"]]}]}}
JSON
gpustat gpus range.json --set 'samples.where.value=10*' --format csv 2>&1 | cut -d, -f1-5
sed -i 's/,"time":"noon"//' range.json
gpustat gpus range.json --set 'samples.where.value=10*' --format csv 2>&1 | cut -d, -f1-5
