# rocm-smi in a loop with date, as the terminal shows it: its table of two versions, and its lists, whose sections go
# through all GPUs by turn. Energy and power were computed by hand.
printf 'name,start,stop\nrun,2024-05-01T12:00:00Z,2024-05-01T12:00:04Z\n' > spans.csv
bar() { echo "========================= $1 ========================="; }
events() { gpustat events --samples "$1" --events spans.csv --tz UTC --join window --max-gap 9s -q -f csv "${@:2}" | cut -d, -f 1,2,10-12,15,16; }
of_gpus() { gpustat gpus --samples "$1" --events spans.csv --tz UTC -q -f csv "${@:2}" | cut -d, -f 1-7,15-; }
for k in 0 2 4; do
    echo "Wed May  1 12:00:0$k UTC 2024"
    bar 'ROCm System Management Interface'; bar 'Concise Info'
    echo 'GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  '
    echo '0    45.0c           100.0W  400Mhz  2133Mhz  N/A  auto  300.0W    3%   10%   '
    echo '1    47.0c           N/A     500Mhz  2133Mhz  N/A  auto  300.0W    3%   30%   '
    bar 'End of ROCm SMI Log'
done > concise.log
events concise.log; of_gpus concise.log
for k in 0 2 4; do
    printf '2024-05-01 12:00:0%s\nWARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\n' $k
    bar 'Concise Info'
    echo 'Device  Node  IDs              Temp    Power     Partitions          SCLK  MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  '
    echo '              (DID,     GUID)  (Edge)  (Socket)  (Mem, Compute, ID)                                                 '
    echo '0       1     0x1586,   51259  36.0°C  23.039W   N/A, N/A, 0         N/A   1000Mhz  0%   auto  N/A     34%    5%    '
    echo '        AMD Instinct MI300X'
done > device.log
events device.log; of_gpus device.log
for k in 0 2 4; do
    echo "Wed May  1 12:00:0$k UTC 2024"
    for key in 'Average Graphics Package Power (W): 3' 'GPU use (%): 5' 'Temperature (Sensor junction) (C): 6'; do
        bar Section
        printf 'GPU[0]\t\t: %s0\nGPU[1]\t\t: %s4\n' "$key" "$key"
    done
    printf 'GPU[0]\t\t: sclk clock level: 1: (500Mhz)\n'
done > list.log
events list.log; of_gpus list.log
# Without times: rounds are told by what is said again. Cards of the socket's power.
for k in 1 2 3; do printf 'GPU[0] : Current Socket Graphics Package Power (W): 130.0\nGPU[7] : Current Socket Graphics Package Power (W): 150.0\n'; done > loop.log
every='--set samples.time.every=2s --set samples.origin=2024-05-01T12:00:00Z'
events loop.log $every; of_gpus loop.log $every
# A malformed reading, as it stood; a table that breaks off; --csv with its warning above the header.
sed 's/100.0W/1OO.0W/' concise.log > bad.log; sed 's/: 34$/: 3A/' list.log >> bad2.log
for log in bad.log bad2.log; do of_gpus $log 2>&1; of_gpus $log --rejects r.csv; head -2 r.csv; done
head -c -170 concise.log > torn.log; gpustat map torn.log -q | grep -o '"found".*"ignored": [0-9]*'
for k in 0 2 4; do printf '2024-05-01 12:00:0%s\n\nWARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\ndevice,Average Graphics Package Power (W)\ncard0,100.0\ncard1,200.0\n\n' $k; done > dates.csv
events dates.csv
# A time behind the cards holds for both, as one before them does.
for i in 0 1 2; do
    echo "{\"card0\":{\"Average Graphics Package Power (W)\":\"100\"},\"card1\":{\"Average Graphics Package Power (W)\":\"200\"},\"timestamp\":174108060$i}"
done > behind.jsonl
gpustat power behind.jsonl -q -f csv --show gpu,rows,energy_sensor_j
