# A run in any form is dealt out by host; what the parts say together is what the run says.
python3 - << 'END'
import json
T = 1714564800
with open("prom.txt", "w") as f:
    for k in range(61):
        for h in range(4):
            for g in (0, 1):
                f.write('DCGM_FI_DEV_POWER_USAGE{gpu="%d",UUID="GPU-%d%d",Hostname="n%d"} %.3f %d\n'
                        % (g, h, g, h, 100 + 50 * g + h + (k * 7 % 5) / 3, (T + k) * 1000))
with open("sacct.txt", "w") as f:
    f.write("JobID|JobName|NodeList|AllocTRES|Start|End|State\n")
    f.write("7|one, two|n0|gres/gpu=2|2024-05-01T12:00:10|2024-05-01T12:00:50|COMPLETED\n")
    f.write('8|"both"|n[0-3]|gres/gpu=8|2024-05-01T12:00:20|2024-05-01T12:00:30|COMPLETED\n')
    f.write("9|three|n3,n2|gres/gpu=4|2024-05-01T12:00:05|2024-05-01T12:00:15|FAILED\n")
with open("wide.csv", "w") as f:
    f.write("timestamp,gpu0_power_w,gpu1_power_w,temp_c\n")
    for k in range(61):
        f.write("2024-05-01T12:00:%02d.123456789Z,%d.25,,50\n" % (k % 60, 100 + k) if k < 60 else "")
with open("marks.csv", "w") as f:
    f.write("time,name,phase,model\n2024-05-01T12:00:10Z,a,begin,x\n2024-05-01T12:00:20Z,a,end,\n")
END
compare()
{
    rm -rf parts
    gpustat split "$@" -o parts --parts 3 -q -f csv | cut -d, -f 1-3
    for by in event host,gpu; do
        gpustat events "$@" --join window --by $by -q -f csv > whole
        gpustat events parts --join window --by $by -q -f csv | cmp - whole && echo "same by $by, $(wc -l < whole) lines"
    done
    for n in 1 2 3; do gpustat events parts --join window -q --shard $n/3 --partial $n.state; done
    gpustat merge 1.state 2.state 3.state -q -f csv | cmp - <(gpustat events "$@" --join window -q -f csv) && echo same merged
}
mkdir run; mv prom.txt sacct.txt run; compare run --tz UTC
gpustat events run --tz UTC --join window --by state,gpus -q -f csv | cmp - <(gpustat events parts --join window --by state,gpus -q -f csv) && echo same attributes
cat parts/gpustat.json
zstd -dc parts/samples-*.csv.zst | head -n 2
compare wide.csv marks.csv --set events.attributes.model=model
zstd -dc parts/events-*.csv.zst parts/samples-1-*.csv.zst | head -n 5
gpustat split run -o parts; echo $?
gpustat split wide.csv marks.csv -o new --set samples.time=nothing; echo $?
