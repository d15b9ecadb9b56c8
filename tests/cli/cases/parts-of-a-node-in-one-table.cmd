# One column says of what each row is: GPUs that are numbered are GPUs, and no processor, memory or node is one, by every door.
exec 2>&1
rows() # HEADER BEFORE PARTS...: each part draws 100 W more than the one before
{
    echo "$1"
    for k in 0 1 2 3 4; do
        w=100
        for part in "${@:3}"; do
            echo "2026-09-12T08:00:0$k.000Z,$2$part,$((w + k))"
            w=$((w + 100))
        done
    done
}
doors()
{
    for door in gpus power balance; do
        gpustat $door run -q -f csv | head -1 | tr , '\n' | grep -nxE 'energy_j|energy_sensor_j' | tail -1 > at
        echo "$door: $(gpustat $door run -q -f csv | tail -n +2 | cut -d, -f "$(cut -d: -f 1 at)" | tr '\n' ' ')"
    done
    gpustat report run -q -o page > log && grep -o '"energy_j": [^,]*' page/report.json
    rm -r page
}
mkdir run
rows timestamp,component,power_w '' GPU0 GPU1 CPU NODE DRAM > run/gpu.csv; doors
rows timestamp,hostname,component,power_w n1, GPU0 GPU1 NODE > run/gpu.csv; doors
rows timestamp,host,part,power_w n1, CPU 'GPU 0' > run/gpu.csv; doors
# A GPU that begins late is one all the same.
rows timestamp,component,power_w '' GPU0 CPU > run/gpu.csv
echo 2026-09-12T08:00:04.000Z,GPU7,70 >> run/gpu.csv
gpustat gpus run -q -f csv | cut -d, -f 1-3
# Sensors within one GPU are asked about, whatever else stands in the table.
for head in timestamp,sensor timestamp,host,sensor timestamp,hostname,sensor; do
    rows "$head,power_w" "$(echo "$head" | sed -n 's/.*host.*/n1,/p')" 'GPU Core' 'GPU Board' CPU > run/gpu.csv
    for door in gpus power balance report; do gpustat $door run -q; done
done
# In columns of their own they are told apart by their names.
printf 'timestamp,gpu_power_w,node_power_w,cpu_power_w,dram_power_w\n2026-09-12T08:00:00Z,100,600,50,9\n2026-09-12T08:00:01Z,102,600,50,9\n' > run/gpu.csv
doors
