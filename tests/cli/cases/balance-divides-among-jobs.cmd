# Two users' jobs on one GPU of 300 W: the shorter is no part of the longer, each has half of what they share. A step of
# a job is part of it, and has what it takes of the job's half.
awk 'BEGIN { print "timestamp,hostname,index,power_w"; for (t = 0; t <= 100; t++) printf "%d.5,n1,0,300\n", 1760000000 + t }' >gpu.csv
{
    echo event,host,start,stop,job
    echo long,n1,1760000000.5,1760000100.5,7
    echo short,n1,1760000040.5,1760000060.5,8
    echo step,n1,1760000080.5,1760000090.5,7
} >events.csv
gpustat balance gpu.csv --events events.csv --sensor period=20ms,window=20ms -q --show state,part,inside,energy_j,time_s,energy_with_inner_j -f csv
echo '# each event has all of its time'
gpustat events gpu.csv --events events.csv --sensor period=20ms,window=20ms -q --show event,energy_sum_j -f csv
