# The night that clocks go back in Berlin: 02:30 occurs twice, and the time that a job took tells which it is, at either end. Where both ends lie in that hour nothing tells. Without the system's zones: nothing to see.
if ! [ -e /usr/share/zoneinfo/Europe/Berlin ]; then
    cat "$CASES/an-hour-that-occurs-twice-is-settled-by-elapsed.err" >&2
    exec cat "$CASES/an-hour-that-occurs-twice-is-settled-by-elapsed.out"
fi
mkdir d && cd d
{
    echo 'timestamp,hostname,gpu,power.draw [W]'
    for t in $(seq 1761429600 600 1761458400); do echo "$t,n1,0,$((100 + t / 600 % 7))"; done
} > gpu.csv
{
    echo 'JobID|User|State|Start|End|Elapsed|NodeList|AllocTRES'
    echo '1|ann|COMPLETED|2025-10-26T01:00:00|2025-10-26T02:30:00|01:30:00|n1|gres/gpu=1'
    echo '2|ann|COMPLETED|2025-10-26T02:45:00|2025-10-26T02:15:00|00:30:00|n1|gres/gpu=1'
    echo '3|ann|COMPLETED|2025-10-26T02:30:00|2025-10-26T03:10:00|00:40:00|n1|gres/gpu=1'
    echo '4|bo|COMPLETED|2025-10-26T01:30:00|2025-10-26T02:05:00|01:35:00|n1|gres/gpu=1'
    echo '5|bo|CANCELLED|None|2025-10-26T02:05:00|00:00:00|n1|gres/gpu=1'
    echo '6|bo|COMPLETED|2025-10-26T04:00:00|2025-10-26T05:00:00|00:20:00|n1|gres/gpu=1'
} > sacct.txt
gpustat jobs . --tz Europe/Berlin --show job,start,stop -f csv
echo '7|bo|COMPLETED|2025-10-26T02:10:00|2025-10-26T02:20:00|00:10:00|n1|gres/gpu=1' >> sacct.txt
gpustat jobs . --tz Europe/Berlin
echo "status $?"
gpustat jobs . --tz Europe/Berlin --rejects /dev/null --by user --show user,jobs -f csv
