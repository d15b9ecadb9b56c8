# A price, CO2 and the building's share stand behind the columns of any command with an energy, with its interval.
for command in events gpus balance timeline "power data/power-log.csv"; do
    case $command in power*) data= ;; *) data=data/ ;; esac
    gpustat $command $data -q -f csv --price 0.30EUR/kWh --carbon 380g/kWh --pue 1.2 |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; e = "energy_sensor_j" in at ? "energy_sensor_j" : "energy_sum_j" in at ? "energy_sum_j" : "energy_j"
                           print e, NF - at["facility_kwh"]; next }
                 $at[e] != "" { n++; kwh = $at[e] / 3.6e6 * 1.2
                     wrong += ($at["facility_kwh"] - kwh) ^ 2 > 1e-18 || ($at["cost"] - 0.3 * kwh) ^ 2 > 1e-18 || ($at["co2_g"] - 380 * kwh) ^ 2 > 1e-12
                     if (!("cost_low" in at)) next
                     wrong += ($at["cost_low"] - 0.3 * 1.2 * $at["energy_low_j"] / 3.6e6) ^ 2 > 1e-18
                     wrong += ($at["co2_high_g"] - 380 * 1.2 * $at["energy_high_j"] / 3.6e6) ^ 2 > 1e-12 }
                 END { print (n > 0), wrong + 0 }'
done
# The currency is the unit, and a table shows what was asked for.
gpustat events data/ -q --price 0.30EUR/kWh | head -n 4
# In parts, under a bound and sorted by what it costs it is the same answer.
gpustat gpus data/ -q -f csv --price 100/MWh --sort cost:desc > whole
gpustat gpus data/ -q --shard 1/2 --partial 1 && gpustat gpus data/ -q --shard 2/2 --partial 2
gpustat merge 1 2 -q -f csv --price 100/MWh --sort cost:desc | cmp - whole && echo same
gpustat gpus data/ -q -f csv --price 100/MWh --sort cost:desc --max-memory 64M | cmp - whole && echo same
# Where no energy is, nothing is priced, and a note says so; a price without its unit is an error.
gpustat schedule data/ -q -f csv --columns job_id --price 1/kWh > /dev/null 2>&1
gpustat check data/ -f csv --price 1/kWh 2>&1 > /dev/null | grep energy
gpustat events data/ --price 0.30
gpustat events data/ --carbon 380
gpustat events data/ --pue 0.9
