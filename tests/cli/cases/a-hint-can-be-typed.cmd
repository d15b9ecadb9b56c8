# --card is proposed where the table may have the card, not where the log names one that it lacks.
for i in $(seq 0 39); do echo "2024-01-01T00:00:$((i / 10 + 10)).$((i % 10))00Z,NAME,$((30 - i % 2))"; done > body
for name in '' 'NVIDIA H100 80GB HBM3' 'NVIDIA A100-PCIE-40GB'; do
    { echo 'timestamp,name,power.draw [W]'; sed "s/NAME/$name/" body; } > log.csv
    gpustat gpus log.csv --show energy_j 2>&1 > /dev/null | grep 'energy is uncertain'
done
gpustat gpus data/own --tz UTC 2>&1 > /dev/null | grep zone || echo none
