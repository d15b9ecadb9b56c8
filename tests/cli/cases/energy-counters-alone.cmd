# Logs with an energy counter and no power: every command has the energy that was counted, with an interval and coverage.
log() # HEADER, UNIT (J per unit)
{
    awk -v OFS=, "BEGIN {
        print \"$1\"
        for (k = 0; k < 600; k++) {
            e += k ? (int((k - 1) / 40) % 2 ? 300 : 90) : 5000
            printf \"2024-05-01T12:%02d:%02d.500Z,0,%.0f\\n\", k / 60, k % 60, e / $2
        }
    }"
}
log timestamp,gpu,DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 0.001 > dcgm.csv
log 'timestamp,gpu,total_energy_consumption [mJ]' 0.001 > smi.csv
printf 'name,gpu,job,start,stop\nwork,0,a,2024-05-01T12:00:20.5Z,2024-05-01T12:09:40.5Z\n' > work.csv
short() { grep -oE '"(part|energy(_sensor|_sum)?_j|energy_(low|high|counter)_j|coverage_pct|covered_pct|counter_difference_pct|attribution|fleet_power_w|cost)": [^,}]*' | paste -sd' '; }
for file in dcgm smi; do
    for command in gpus balance 'timeline --every 5min' 'events --join window' 'join --join window' jobs; do
        echo "== $command $file"
        gpustat $command $file.csv --events work.csv --price 100EUR/kWh -f json -q | short
    done
    echo "== power $file"
    gpustat power $file.csv --price 100EUR/kWh -f json -q | short
done
gpustat power dcgm.csv 2>&1 > /dev/null
gpustat power dcgm.csv --phases -f csv -q | head -n 3
gpustat report dcgm.csv --events work.csv -o page > /dev/null 2>&1
grep -o 'The GPU used [^.]*\|1 GPU logs no power[^.]*' page/report.md
# A GPU divided among jobs at the same time is shared, not exact.
printf 'name,gpu,job,start,stop\nx,0,a,2024-05-01T12:01:00.5Z,2024-05-01T12:05:00.5Z\nx,0,b,2024-05-01T12:03:00.5Z,2024-05-01T12:07:00.5Z\n' > two.csv
gpustat jobs dcgm.csv --events two.csv -f csv -q | cut -d, -f1,14-16,23
# It began anew at 300 s, wrapped, stepped back, stands still, is of each interval alone, has the wrong unit.
awk -F, -v OFS=, 'NR > 302 { $3 -= at }; NR == 302 { at = $3; $3 = 0 } 1' dcgm.csv > anew.csv
awk -F, -v OFS=, 'NR > 1 { $3 = ($3 + 4294967296 - 60000000) % 4294967296 } 1' dcgm.csv > wraps.csv
awk -F, -v OFS=, 'NR > 302 { $3 -= 3000000 } 1' dcgm.csv > back.csv
awk -F, -v OFS=, 'NR > 1 { $3 = 5000 } 1' dcgm.csv > stands.csv
awk -F, -v OFS=, 'NR > 1 { now = $3; $3 -= last; last = now } 1' dcgm.csv > each.csv
awk -F, -v OFS=, 'NR == 1 { $3 = "total_energy_consumption [J]" } 1' dcgm.csv > unit.csv
# Exported every 30 s, scraped every second.
awk -F, -v OFS=, 'NR > 1 { if ((NR - 2) % 30 == 7) seen = $3; $3 = seen == "" ? 4900000 : seen } 1' dcgm.csv > held.csv
for file in anew wraps back stands each unit held; do
    for command in gpus power balance; do
        gpustat $command $file.csv -f json 2> said | short | grep -o '"part": "all".*\|^"energy.*' | sed "s/^/$command $file /"
        [ $command = balance ] || grep -v 'no file holds events\|: sensor:\|the run time' said
    done
done
