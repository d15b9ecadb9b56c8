# Workers of a farm that each have a GPU of their own are processes on one machine, whose log names no host; where they
# have not, what to type is said and can be typed.
printf 'timestamp, index, power.draw [W]\n' > smi.csv
for s in 00 05 10 15 20; do printf '2024/05/01 12:00:%s.000, 0, 100.00 W\n2024/05/01 12:00:%s.000, 1, 200.00 W\n' $s $s; done >> smi.csv
row='2024-05-01 12:00:0'
printf 'task,worker,gpu,start,end\n1,w0,0,%s2,%s8\n2,w1,1,%s2,%s8\n3,w0,0,%s8,%s9\n' "$row" "$row" "$row" "$row" "$row" "$row" > tasks.csv
gpustat events --samples smi.csv --events tasks.csv -q -f csv --show event,n,energy_sum_j
sed 's/3,w0/3,w1/' tasks.csv > moved.csv
gpustat events --samples smi.csv --events moved.csv -q
gpustat events --samples smi.csv --events moved.csv --set events.host= -q -f csv --show event,n,energy_sum_j
