# A comma for the point, a currency before or behind the amount, no unit beside a currency: where that means one thing.
for price in '0,30EUR/kWh' '€0.30' '0.30 €/kWh' '$0.12' 'EUR 300/MWh' '1,234EUR/MWh' '0.30' '0.3.0EUR' '€0.30€'; do
    gpustat power data/power-log.csv --price "$price" -q -f csv --show gpu,cost --top 1
done
exit 0
