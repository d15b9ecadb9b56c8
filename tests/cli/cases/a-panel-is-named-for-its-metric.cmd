# Grafana saves a panel under its title, and its series by their legends, which may name no metric: the file's name does.
name='GPU Power Usage-data-as-joinbyfield-2024-05-01 12_00_00.csv'
printf '"Time","n1 gpu 0","n1 gpu 1"\n' > "$name"
for i in $(seq 0 9); do printf '2024-05-01 12:00:%02d,100,300\n' "$((i * 5))"; done >> "$name"
gpustat power "$name" -q -f csv | cut -d, -f1,2,5,15
