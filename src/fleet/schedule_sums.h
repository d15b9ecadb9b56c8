/* schedule_sums.h - the state of the schedule's fold. */
#ifndef GPUSTAT_SCHEDULE_SUMS_H
#define GPUSTAT_SCHEDULE_SUMS_H

#include "fleet/schedule.h"

/* A job, by its text; the first, without one, stands for all jobs together. */
struct gs_job_sum {
    uint64_t n_tasks, n_workers, n_gpus;
    int64_t first_ns, last_ns;    /* first START, last STOP; GS_MISSING: no worker                 */
    int64_t first_idle_ns;        /* when the first of the workers had stopped for good            */
    gs_i128 busy_ns;              /* sum over the workers                                          */
    gs_i128 gpu_gap_ns;           /* sum over the workers of gap_ns times GPUs                     */
    gs_i128 gpu_ends_ns;          /* sum over the workers of last_ns times GPUs                    */
    struct gs_values gaps, tasks; /* between tasks; of every worker                                */
};

/*
 * A worker, by (host, 0 or 1 for a host with all its GPUs, serial, uuid). A worker belongs to one host, so its fields
 * are of one state.
 */
struct gs_worker_row {
    uint64_t n_gpus, n_tasks, n_gaps;
    int64_t first_ns, last_ns;
    gs_i128 busy_ns, gap_ns;
    int64_t gap_low_ns, gap_high_ns, gap_max_ns; /* the two in the middle, the greatest; GS_MISSING: no gaps */
};

enum { GS_SCHEDULE_JOBS, GS_SCHEDULE_WORKERS, GS_N_SCHEDULE_TABLES };
enum { GS_WORKER_HOST, GS_WORKER_IS_HOST, GS_WORKER_SERIAL, GS_WORKER_UUID, GS_N_WORKER_KEYS };

/* The finish of gs_schedule_fold. */
enum gs_status gs_schedule_finish(const void *options, const struct gs_state *state, const struct gs_facts *facts,
                                  unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, void *also,
                                  struct gs_err *err);

#endif
