/* power_visit.h - all GPUs of some logs evaluated in one look at each, readings given back as soon as they were seen. */
#ifndef GPUSTAT_POWER_VISIT_H
#define GPUSTAT_POWER_VISIT_H

#include "analysis/power_logs/power_energy.h"
#include "analysis/power_logs/power_run.h"

/* Of the k-th GPU, counted through the runs, whose logs are in runs[].table then, without readings. */
struct gs_power_visited {
    struct gs_power_result *result;     /* without `kept`            */
    struct gs_power_meter *meter;       /* NULL where not asked for  */
    struct gs_power_energies *energies; /* NULL where not asked for  */
    struct gs_power_use *use;           /* NULL where not asked for  */
};

enum gs_power_visiting { GS_POWER_LOOK_SUMMARY, GS_POWER_LOOK_METRICS };

/*
 * Evaluates every GPU: results, meters and energies for the summary, results and use for the metrics.
 * Errors: those of gs_power_run_visit; GS_ERR_MEMORY.
 * Memory: a row per GPU in `arena`; of readings what a host has per thread.
 */
enum gs_status gs_power_visit(struct gs_power_run *run, size_t n_runs, enum gs_power_visiting what,
                              const struct gs_power_options *options, unsigned n_threads,
                              struct gs_arena *arena, struct gs_power_visited *looked,
                              struct gs_err *err);

#endif
