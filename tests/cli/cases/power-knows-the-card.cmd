# A column of names says which card it is, and so its sensor's scale: to power, and to every command with energies.
mkdir run
printf 'timestamp, index, name, power.draw [W]\n' > run/log.csv
for i in 0 1 2 3 4 5 6 7 8 9; do
    printf '2024/10/10 13:18:0%d.000, 0, NVIDIA GeForce RTX 3090, %d.5 W\n' $i $((100 + i)) >> run/log.csv
done
printf 'event,start,stop\nall,2024-10-10T13:18:00Z,2024-10-10T13:18:09Z\n' > run/spans.csv
gpustat power run/log.csv -f csv -q | cut -d, -f 1,2,12,15
gpustat events run --tz UTC --join window -f csv -q | cut -d, -f 1,2 
gpustat events run --tz UTC --join window -q -f jsonl | grep -o '"energy_sum_j":[^,}]*'
