# 4000 series of a panel, one of them with another label, then all alike: memory is for them, not for each of them again.
series()
{
    printf 'Time'
    for k in {1..3999}; do printf ',"power_w{instance=""node%d.example.org:9400"", gpu=""%d""}"' $((k / 8)) $((k % 8)); done
    printf ',"power_w{instance=""other.example.org:9400"", %sgpu=""0""}"\n' "$1"
    for s in 10 20 30; do printf '2024-05-01T12:00:%dZ' $s; printf ',100%.0s' {1..4000}; echo; done
}
series 'zone=""x"", ' > panel.csv; series '' > alike.csv
python3 - << 'END'
import resource, subprocess
for name in "panel", "alike":
    run = subprocess.run(["gpustat", "gpus", "--samples", name + ".csv", "-q", "-f", "csv"], capture_output=True, text=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(name, run.returncode, run.stderr[:58], len(run.stdout.splitlines()), "MiB" if most < 300 else most)
END
# GPUs of one host cost what they are, too, and not the square of their number.
{ echo timestamp,host,gpu,power_w; seq 60000 | sed 's/.*/2024-05-01T12:00:00Z,a,GPU-&,100/'; } > many.csv
(ulimit -t 12; gpustat gpus many.csv -q -f csv | wc -l)
