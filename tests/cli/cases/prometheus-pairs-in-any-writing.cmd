# Pairs of a series that are written as Prometheus does not, anywhere among others, count once; what is no JSON is refused.
matrix() {
    printf '{"status":"success","data":{"resultType":"matrix","result":[' > m.json
    printf '{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","gpu":"0","Hostname":"n1"},"%s":%s}]}}\n' "$1" "$2" >> m.json
    gpustat timeline m.json -q -f csv
}
matrix values '[[1700000000,"100"],[1700000001,"110"],[1700000002,"120"],[1700000003,"130"]]' > usual
for otherwise in '1700000002,120' '1.700000002e9,"120"' '1700000002 , "1.2e2"' '1700000002,"1\u00320"'; do
    matrix values "[[1700000000,\"100\"],[1700000001,\"110\"],[$otherwise],[1700000003,\"130\"]]" | cmp - usual
done
cat usual
matrix values '[[1700000000,"100"],[1700000001,"110"],]'
echo "$?"
matrix values '[[1700000000,"100"],[1700000001,"110"][1700000002,"120"]]'
echo "$?"
matrix value '[1700000000,"100"],[1700000001,"110"]'
echo "$?"
matrix value '[1700000000,"100"]'
