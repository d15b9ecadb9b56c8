# Spans as they are: overlapping ones of one name (2 and 4 s), one on two nodes (n is 1, 10 s at 100 W and 200 W is 3,000 J),
# one that names no host (on both), an exact duplicate.
{
    echo 'time,host,power_w'
    for s in 00 01 02 03 04 05 06 07 08 09 10 11 12; do echo "2024-05-01T12:00:${s}Z,n1,100"; echo "2024-05-01T12:00:${s}Z,n2,200"; done
} > power.csv
cat > spans.csv << 'END'
name,node,start,stop
step,n1,2024-05-01T12:00:00Z,2024-05-01T12:00:04Z
step,n1,2024-05-01T12:00:02Z,2024-05-01T12:00:04Z
job,"n[1-2]",2024-05-01T12:00:01Z,2024-05-01T12:00:11Z
all,,2024-05-01T12:00:00Z,2024-05-01T12:00:02Z
twice,n2,2024-05-01T12:00:00Z,2024-05-01T12:00:02Z
twice,n2,2024-05-01T12:00:00Z,2024-05-01T12:00:02Z
END
ask="--samples power.csv --events spans.csv --set events.host.column=node --set events.host.many=true --join window -f csv"
gpustat events $ask | cut -d, -f 1-5,10,14-17
gpustat events $ask --duplicates drop --event twice -q | cut -d, -f 1-3,15
gpustat join $ask -q | cut -d, -f 1,4,8,11-13,15
