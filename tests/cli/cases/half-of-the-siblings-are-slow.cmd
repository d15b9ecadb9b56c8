# Two hosts of 4 GPUs for 300 s: on n1 half run at 900 MHz and 200 W beside 1,410 MHz and 300 W, so -36.2 % and -33.3 %; on n2 half
# idle at 50 W, -83.3 %. The median of a fast GPU's siblings is a slow one, but none of the fast are +57 % or +500 %.
fleet()
{
    echo 'time,host,gpu,power_w,gpu_util_pct,sm_clock_mhz'
    for ((t = 0; t < 300; t += 5)); do
        for host in $1; do for gpu in 0 1 2 3; do
            echo "$((1773144000 + t)),$host,$gpu,$(of $host $gpu $t)"
        done; done
    done
}
of() { case $1$2 in
    n1[23]) echo "$((200 + $3 / 5 % 3)),99,900" ;;
    n2[23]) echo "$((50 + $3 / 5 % 3)),0,210" ;;
    *) echo "$((300 + ($3 / 5 + $2) % 3)),99,1410" ;;
esac; }
ask="--show hostname,gpu_uuid,gpu_verdict,sm_clock_diff_pct,power_diff_pct,slow_time_pct -f csv -q"
fleet 'n1 n2' > halves.csv
gpustat stragglers halves.csv $ask
# A whole host is slow: its GPUs are alike, and none is called anything; that the host differs is warned of.
of() { case $1 in n2) echo "$((200 + ($3 / 5 + $2) % 3)),99,900" ;; *) echo "$((300 + ($3 / 5 + $2) % 3)),99,1410" ;; esac; }
fleet 'n1 n2 n3' > host.csv
gpustat gpus host.csv --show hostname,gpu_uuid,gpu_verdict -f csv 2>&1 | grep -v uncertain
# It idles from 140 s on: what is measured is of the time since then, not a median of both.
of() { [ $2 -eq 3 ] && [ $3 -ge 140 ] && echo "0,0,210" || echo "$((300 + ($3 / 5 + $2) % 3)),99,1410"; }
fleet n1 > late.csv
gpustat gpus late.csv --show gpu_uuid,gpu_verdict -f csv 2>&1 | grep idles
