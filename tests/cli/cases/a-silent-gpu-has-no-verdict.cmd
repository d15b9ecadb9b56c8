# A GPU that answers nothing is not known to be fine.
(echo timestamp,gpu,power_w,gpu_util_pct,sm_clock_mhz; for t in $(seq 10 59); do for g in 0 1 2 3; do echo "2025-03-04T09:30:${t}Z,$g,$([ $g = 3 ] && echo '[N/A],[N/A],[N/A]' || echo $((200 + t % 3)),90,1400)"; done; done) > log.csv
gpustat gpus log.csv -q -f csv --show gpu_uuid,samples,gpu_verdict
