# A GPU that takes 300 W for 40 s and 90 W for 40 s in turn, with counters of ten kinds in mJ, by three doors.
counter() # KIND, as an expression of k, e (J so far) and b (J before the log)
{
    awk -v OFS=, "BEGIN {
        print \"timestamp,gpu,power_w,energy_mj\"
        b = 5000000
        for (k = 0; k < 600; k++) {
            w = (int(k / 40) % 2 ? 300 : 90) + (k * 37 % 11 - 5)
            e += k ? (w + last) / 2 : 0
            grown = (w + last) / 2
            last = w
            printf \"2024-05-01T12:%02d:%02dZ,0,%d,%.0f\\n\", k / 60, k % 60, w, 1000 * ($1)
        }
    }" > log.csv
}
say() { grep -i counter; }
printf 'name,start,stop\nwork,2024-05-01T12:00:20Z,2024-05-01T12:09:40Z\n' > work.csv
while IFS=';' read -r name expression; do
    counter "$expression"
    echo "== $name"
    gpustat gpus log.csv -f json 2> said | grep -o '"energy_counter_j": [^,}]*'
    say < said
    gpustat power log.csv -f json 2>&1 > /dev/null | say | cmp - <(say < said)
    gpustat events log.csv work.csv -f json 2>&1 > /dev/null | say | cmp - <(say < said)
done << 'END'
good;b + e
mJ called uJ;1000 * (b + e)
Wh;(b + e) / 3600
stands still;b
anew at 300 s;k < 300 ? b + e : e - (at300 = at300 ? at300 : e)
three steps back of 5 kJ;b + e - 5000 * ((k >= 100) + (k >= 200) + (k >= 300))
two dips of 5 kJ;b + e - 5000 * (k == 100 || k == 200)
wraps at 2^32;(4294967.296 - 20000 + e) % 4294967.296
of each interval;k ? grown : 0
renewed every 20 s;k % 20 ? seen : (seen = b + e)
10 % low;b + 0.9 * e
30 % low;b + 0.7 * e
END
# A counter without a unit is not read; a known name has one wherever it stands.
counter 'b + e'
sed '1s/energy_mj/energy/' log.csv > bare.csv
sed '1s/energy_mj/DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION/; 1s/power_w/DCGM_FI_DEV_POWER_USAGE/' log.csv > dcgm.csv
for file in bare dcgm; do gpustat gpus $file.csv -f json 2>&1 | grep -o '"energy_counter_j": [^,}]*\|.*no unit.*'; done
