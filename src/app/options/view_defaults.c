/* view_defaults.c - the columns that answer the question of each table within 100 columns of a terminal. */
#include <string.h>

#include "app/options/view.h"

/* The most important first after the names of the row: a narrow terminal drops columns from the right. */
static const struct {
    const char *frame, *columns;
} defaults[] = {
    {"map", "files,role,rows,gpus,from~,to~,form"},
    {"events", "event..n,duration_mean_ms,duration_p95_ms,power_time_w,energy_sum_j±,energy_"
               "divided_j±,energy_mean_j±,items,energy_per_item_j±,temp_mean_c"},
    {"zoom", "level..n,duration_mean_ms,duration_p95_ms,power_time_w,energy_sum_j±,temp_mean_c,"
             "coverage_pct"},
    {"gpus", "hostname,gpu_serial|gpu_uuid,gpu_verdict,slow_time_pct?,slow_since~,power_mean_w,"
             "power_instant_"
             "mean_w,temp_mean_"
             "c,sm_clock_loaded_mhz,gpu_util_mean_pct,energy_j±,tasks,task_mean_s"},
    {"correlate",
     "metric,n,pearson_r,pearson_ci_low,pearson_ci_high,p_value,p_holm,spearman_rho,r_within,"
     "r_within_p_holm"},
    {"join",
     "hostname,gpu_serial|gpu_uuid,event,task_id|job_id,start,duration_ms,power_w,energy_j±"},
    {"bias", "event,n,no_sample_pct,power_nearest_w,power_window_w,power_bias_w,temp_bias_c"},
    {"balance", "state+part..inside,energy_j±,energy_pct,time_s,time_pct,power_mean_w"},
    {"timeline", "time,active_tasks,finished_tasks,gpus_seen,fleet_power_w,gpu_util_mean_pct,temp_"
                 "max_c,energy_j"},
    {"jobs", "job|start,user,name,state,wasted_gpu_h±,wasted_energy_j?±,wasted_cost?±,gpu_h,energy_"
             "j±,idle_pct,attribution"},
    {"jobs-by", "user..jobs,wasted_gpu_h±,wasted_energy_j?±,wasted_cost?±,gpu_h,energy_j±,idle_pct,"
                "attribution"},
    {"schedule", "job_id,tasks,workers,makespan_s,busy_pct,gap_lost_gpu_h,tail_s,tail_lost_gpu_h,"
                 "gap_cost±,tail_cost±,gap_co2_g±,tail_co2_g±"},
    {"clusters",
     "cluster..gpus,task_median_s,power_mean_w,gpu_util_mean_pct,mem_util_mean_pct,silhouette"},
    {"stragglers",
     "hostname,gpu_serial|gpu_uuid,gpu_verdict,slow_time_pct?,slow_since~,sm_clock_loaded_mhz,sm_"
     "clock_diff_pct,"
     "temp_diff_c,verdict,task_median_s,slowdown_pct,q_value,cost_gpu_s,hot_pct"},
    {"diff", "event..measure,a,b,measure_unit,change_pct,low_pct,high_pct,verdict"},
    {"check", "severity,finding,count,first_place,hint"},
    {"power", "gpu,energy_sensor_j±,runtime_s,power_mean_w,active_s,idle_s"},
    {"power-metrics", "gpu,time_to_solution_s,throughput_per_s,energy_per_item_j,power_mean_w,gpu_"
                      "util_mean_pct,memory_used_max_mib,temp_max_c"},
    {"validate", "model,operations,measured_time_s,summed_time_s,time_ratio,time_z,measured_energy_"
                 "j,energy_ratio"},
    {"sweep",
     "group,best_frequency_mhz,energy_saved_pct,time_lost_pct,best_energy_delay_mhz,knee_mhz"},
};

const char *gs_view_default(const char *frame)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(defaults[i].frame, frame) == 0)
            return defaults[i].columns;
    return NULL;
}
