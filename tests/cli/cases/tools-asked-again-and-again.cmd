# `while true; do date; TOOL; sleep 1; done`: the time on a line above holds for what is below, whatever form `date` gave it.
again() { for i in 0 1 2; do "$1" "$i"; done > "$2"; gpustat power "$2" -q -f csv | cut -d, -f1,2,5,15; }
exporter() {
    echo "### 2026-04-01T18:20:0$1"
    echo '# TYPE DCGM_FI_DEV_POWER_USAGE gauge'
    for g in 0 1; do echo "DCGM_FI_DEV_POWER_USAGE{gpu=\"$g\",Hostname=\"n\"} $((g * 100 + 60))"; done
}
again exporter hash.txt
dated() { echo "Wed Apr  1 11:20:0$1 UTC 2026"; exporter "$1" | tail -n +2; }
again dated date.txt
smi() {
    echo "Mon, 23 Mar 2026 17:20:0$1 +0000"
    echo '| NVIDIA-SMI 535.129.03             Driver Version: 535.129.03   CUDA Version: 12.2     |'
    echo '|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:01:00.0 Off |                    0 |'
    echo '| N/A   36C    P0              61W / 400W |    574MiB / 81920MiB |      0%      Default |'
}
again smi smi.log
# A time in front of each row of dcgmi, not of its header; dmon with commas and no blanks.
stamped() { for g in 0 1; do echo "2026-03-31 21:20:0$1 GPU $g     6$g.490       0     37"; done; }
(printf '#Entity   POWER  GPUTL  TMPTR\nID        W             C\n'; for i in 0 1 2; do stamped "$i"; done) > dcgm.txt
gpustat power dcgm.txt -q -f csv | cut -d, -f1,2,5,15
rows() { for g in 0 1; do echo "20260330,10:20:0$1,$g,6$g,38,-"; done; }
(printf '#Date,Time,gpu,pwr,gtemp,mtemp\n#YYYYMMDD,HH:MM:SS,Idx,W,C,C\n'; for i in 0 1 2; do rows "$i"; done) > dmon.csv
gpustat power dmon.csv -q -f csv | cut -d, -f1,2,5,15
