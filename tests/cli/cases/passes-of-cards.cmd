# A column that names the card, over several passes: the same bytes as in one, whatever number a pass gives the card.
awk 'BEGIN {
    print "timestamp,host,uuid,name,power.draw [W]"
    for (i = 0; i < 400000; i++)
        printf "2024-05-01T12:%02d:%02d.%03dZ,n%d,GPU-%d,%s,%d\n", i / 66000, i / 1100 % 60, i % 1000, i % 40, i % 40,
               i % 40 % 3 ? "NVIDIA A100-SXM4-80GB" : "NVIDIA H100 PCIe", 100 + i % 7
}' | gzip -1 > z.csv.gz
gpustat gpus z.csv.gz -f csv -q > one
gpustat gpus z.csv.gz -f csv -q --max-memory 20M > passes
cmp one passes && wc -l < one
