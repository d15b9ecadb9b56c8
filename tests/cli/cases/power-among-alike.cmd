# Of parts that nothing tells apart the whole counts; a mean yields to the reading; a power without a unit is the same to all commands.
exec 2>&1
time='2024-05-01T12:00:0'
printf 'timestamp,compute_power,total_power,memory_power,io_power\n%s0Z,4,10,5.6,0.4\n%s1Z,4,12,5.6,0.4\n' $time $time > parts.csv
printf 'timestamp,Average VDD_SYS_GPU Power Consumption (mW),Current VDD_SYS_GPU Power Consumption (mW),Current VDD_SYS_SOC Power Consumption (mW)\n%s0Z,900,1000,5\n%s1Z,950,2000,5\n' $time $time > rails.csv
printf 'timestamp,n1_watts,n2_watts\n%s0Z,100,150\n%s1Z,100,150\n' $time $time > nodes.csv
printf 'timestamp,n1_watts,n2_watts,temp_c\n%s0Z,100,150,50\n%s1Z,100,150,50\n' $time $time > warm.csv
printf 'timestamp,power\n%s0Z,1000\n%s1Z,2000\n' $time $time > either.csv
for f in parts rails nodes warm either; do
    echo "$f ::"
    gpustat gpus $f.csv -q -f csv | cut -d, -f 1-5
    gpustat gpus $f.csv 2>&1 > /dev/null | grep -E 'power is|no unit|not known|are known'
    gpustat power $f.csv -q -f csv | cut -d, -f 1,7
done
# Figures of whole runs are no readings: a table without times whose power is a mean.
printf 'Benchmark,Size_MB,Avg_Power_W,Type\nld,1,3.8,Load\nst,1,7.5,Store\n' > figures.csv
gpustat power figures.csv
printf 'power.draw.average [W]\n100.0 W\n102.0 W\n' > loop.csv
gpustat power loop.csv -q -f csv | cut -d, -f 1-4
