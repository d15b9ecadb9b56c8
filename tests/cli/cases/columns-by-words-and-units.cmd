# A column is power if its words say so and its unit fits: of a GPU before a board before all there is.
try() # HEADER CELLS
{
    printf 'timestamp,%s\n' "$1" > x.csv
    for k in 0 1 2; do printf '2026-01-01T00:00:0%sZ,%s\n' $k "$2" >> x.csv; done
    echo "$1: $(gpustat power x.csv -q -f csv 2>&1 | tail -n 1 | cut -d, -f 5)" \
        "$(gpustat power x.csv -f csv 2>&1 > /dev/null | grep -o 'power is taken.*')"
}
try total_power 100
try n1_watts 100
try 'Processor Power_0(Watt)' 100
try 'VDD_IN (mW),VDD_CPU_GPU_CV (mW),VDD_SOC (mW)' 5000,3000,1000
try 'Power Used' '100 W'
try total_gpu_power_w 100
try system_power_w,cpu_power_w 100,50
try power_avg 100
try '"GPU Chip Power Draw [W]",cpu' 100,1
try node_power_w,gpuBoardPower_W 200,100
try 'GPUPower,DRAMPower,CpuPower' 100,20,30
# What is a processor's, a memory's or a limit is no GPU's; two that are alike are asked for.
try 'cpu_power_w' 30
try 'max_power_w,gpu_power_limit_w,ram_power' 30,40,5
try 'n1_watts,n2_watts' 30,40
try 'gpu_a_power_w,gpu_b_power_w' 30,40
# Utilisation and heat, where a GPU is named.
printf 'timestamp,power_w,Utilization,GPU Hot Temp (C),CPU Temp (C)\n2026-01-01T00:00:00Z,100,50,60,70\n' > u.csv
gpustat gpus u.csv -q -f csv | cut -d, -f 5-7
# To every command a power without a unit is in watts where its values fit no other unit.
printf 'timestamp,total_power\n2026-01-01T00:00:00Z,100\n' > t.csv
gpustat gpus t.csv
# So are columns of each GPU, but where they may be shares.
printf 'timestamp,gpu0_power,gpu1_power\n2026-01-01T00:00:00Z,100,200\n2026-01-01T00:00:01Z,102,202\n' > w.csv
gpustat power w.csv -q -f csv | cut -d, -f 1,2,5
sed 's/_power//g' w.csv > bare.csv
gpustat power bare.csv
