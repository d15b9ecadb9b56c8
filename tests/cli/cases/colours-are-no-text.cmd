# A log as torchtitan prints it for a terminal, of more than one piece of reading, gives the bytes of the same log without colours.
# ESC ( B has no bracket; the Python tool gpustat writes it, too.
mkdir plain
awk 'BEGIN { for (i = 1; i <= 4000; i++)
    printf "[titan] %s,%03d - root - INFO - \033[31mstep: %2d  \033[32mloss:  8.1  \033[1;33mmemory: 40.00GiB(42.00%%)\033(B\033[m  \033[34mtps: 5,000\033[39m\n", strftime("%Y-%m-%d %H:%M:%S", 1772614800 + 4 * i, 1), i % 7, i }' > titan.log
sed 's/\x1b\[[0-9;]*m//g; s/\x1b(B//g' titan.log > plain/titan.log
wc -c < titan.log
gpustat events titan.log -q --tz UTC -f csv --show event,n,duration_mean_ms > coloured.csv
gpustat events plain/titan.log -q --tz UTC -f csv --show event,n,duration_mean_ms > plain.csv
cmp coloured.csv plain.csv && cat plain.csv
