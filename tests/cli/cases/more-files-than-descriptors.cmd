# Files are opened when they are needed: 17,000 of them with 64 descriptors, in one run and in parts.
mkdir logs
seq -w 17000 | awk '{ f = "logs/" $1 ".csv"; print "timestamp,hostname,gpu_index,power_draw_w\n2024-05-01T12:00:00Z,n" $1 ",0,100\n2024-05-01T12:00:01Z,n" $1 ",0,10" $1 % 7 > f; close(f) }'
ulimit -n 64
gpustat gpus logs -q -f csv > whole
wc -l < whole
tail -n 1 whole | cut -d, -f 1-5
gpustat gpus logs -q --part 1/1 --partial all.part
gpustat merge all.part -q -f csv | cmp - whole && echo same
