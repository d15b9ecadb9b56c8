# What gaps and tail drew costs money and emits, with the ends of its interval: energy / 3.6e6 * pue * rate, by awk.
gpustat schedule data -q -f csv --price 0.30EUR/kWh --carbon 380g/kWh --pue 1.2 > costs
awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
function check(energy, cost, rate) {
    n++
    want = $at[energy] / 3.6e6 * 1.2 * rate
    if ($at[energy] == "" ? $at[cost] != "" : (d = $at[cost] - want) > 1e-12 || d < -1e-12)
        print $1, cost, $at[cost], want
}
{
    check("gap_energy_j", "gap_cost", 0.30); check("energy_low_j", "gap_cost_low", 0.30)
    check("energy_high_j", "gap_cost_high", 0.30); check("tail_energy_j", "tail_cost", 0.30)
    check("tail_energy_low_j", "tail_cost_low", 0.30); check("tail_energy_high_j", "tail_cost_high", 0.30)
    check("gap_energy_j", "gap_co2_g", 380); check("tail_energy_high_j", "tail_co2_high_g", 380)
    check("gap_energy_j", "gap_facility_kwh", 1); check("tail_energy_j", "tail_facility_kwh", 1)
}
END { print n, "costs checked" }' costs
unset GPUSTAT_SHOW
gpustat schedule data -q --price 0.30EUR/kWh
gpustat schedule data -q --by host --price 0.30EUR/kWh -f csv | head -n 1 | tr , '\n' | grep cost
