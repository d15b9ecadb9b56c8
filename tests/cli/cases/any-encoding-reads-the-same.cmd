# Names beyond Latin, in UTF-16 of either order and as escapes of JSON; half a pair is the replacement character.
rows() # FORMAT, of a second, a host and a power
{
    i=0
    for host in knoten-ä 节点一 🚀node; do
        for _ in 1 2 3 4; do i=$((i + 1)); printf "$1" "$(printf %02d $i)" "$host" $((100 + i)); done
    done
}
{ echo timestamp,hostname,gpu,power_w; rows '2026-01-01T00:00:%sZ,%s,0,%s\n'; } > u8.csv
gpustat gpus u8.csv -q -f csv --show hostname,samples,power_mean_w | tee said
for order in LE BE; do
    { [ $order = LE ] && printf '\377\376' || printf '\376\377'; iconv -f UTF-8 -t UTF-16$order u8.csv; } > u16.csv
    gpustat gpus u16.csv -q -f csv --show hostname,samples,power_mean_w | cmp - said && echo same
done
rows '{"timestamp":"2026-01-01T00:00:%sZ","hostname":"%s","gpu":0,"power_w":%s}\n' > u.jsonl
sed 's/ä/\\u00e4/; s/节点一/\\u8282\\u70b9\\u4e00/; s/🚀/\\ud83d\\ude80/' u.jsonl > escaped.jsonl
grep -c 'ud83d' escaped.jsonl
for f in u escaped; do gpustat gpus $f.jsonl -q -f csv --show hostname,samples,power_mean_w | cmp - said && echo same; done
sed 's/🚀/\\ud83d/' u.jsonl > half.jsonl
gpustat gpus half.jsonl -q -f csv --show hostname,samples,power_mean_w | tail -n 1
