# nvidia-smi -q -x -l 1 of a driver of 2025, two rounds shortened, and of one of 2020, whose names were others.
round()
{
    printf '<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v13.dtd">\n<nvidia_smi_log>\n\t<timestamp>Thu Nov 26 17:45:3%s 2026</timestamp>\n\t<attached_gpus>2</attached_gpus>\n' "$1"
    for g in 0 1; do
        printf '\t<gpu id="00000000:0%s:00.0">\n\t\t<uuid>GPU-%s</uuid>\n\t\t<fb_memory_usage>\n\t\t\t<used>%s MiB</used>\n\t\t</fb_memory_usage>\n' $g $g 7$g
        printf '\t\t<clocks_event_reasons>\n\t\t\t<clocks_event_reason_sw_power_cap>%s</clocks_event_reason_sw_power_cap>\n\t\t</clocks_event_reasons>\n' "${2-Not Active}"
        printf '\t\t<utilization>\n\t\t\t<gpu_util>5%s %%</gpu_util>\n\t\t</utilization>\n\t\t<temperature>\n\t\t\t<gpu_temp>4%s C</gpu_temp>\n\t\t\t<memory_temp>N/A</memory_temp>\n\t\t</temperature>\n' $g $g
        printf '\t\t<gpu_power_readings>\n\t\t\t<average_power_draw>10.00 W</average_power_draw>\n\t\t\t<instant_power_draw>%s00.00 W</instant_power_draw>\n\t\t</gpu_power_readings>\n\t</gpu>\n' $((g + 1))
    done
    printf '</nvidia_smi_log>\n'
}
{ round 1; round 2 Active; } > q.xml
gpustat gpus q.xml -q -f csv --show gpu_uuid,samples,power_mean_w,temp_mean_c,gpu_util_mean_pct,mem_used_mean_mib,sw_power_cap_mean,energy_j
gpustat map q.xml
round 1 | sed 's/gpu_power_readings/power_readings/; s/instant_power_draw/power_draw/g; s/event_reason/throttle_reason/g; /average/d' > old.xml
gpustat gpus old.xml -q -f csv --show gpu_uuid,samples,power_mean_w,sw_power_cap_mean
head -c 900 q.xml > torn.xml; gpustat gpus torn.xml -q -f csv --show gpu_uuid,samples,power_mean_w
