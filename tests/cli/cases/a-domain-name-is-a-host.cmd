# Columns of hosts whose domain names begin like a total's; those that end like one are none.
{
    echo 'time,max.example.org_power_w,all.rack1.example.org_power_w,n1.example.org_power_w,n1.rack.total_power_w,sum_power_w'
    for k in {10..19}; do echo "2024-05-01T12:00:${k}Z,101,102,103,306,306"; done
} > wide.csv
gpustat gpus --samples wide.csv --set 'samples.metrics.power_w.columns={host}_power_w' -f csv -q | cut -d, -f 1,4,5
