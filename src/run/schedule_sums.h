/* schedule_sums.h - what the visit of the hosts gathers for the schedule. */
#ifndef GPUSTAT_SCHEDULE_SUMS_H
#define GPUSTAT_SCHEDULE_SUMS_H

#include "stats/quantile.h"
#include "run/schedule.h"
#include "base/timestamp.h"

struct gs_job_sum {
    uint64_t n_tasks, n_workers, n_gpus;
    int64_t first_ns, last_ns;     /* first START, last STOP; meaningful where n_workers > 0       */
    int64_t first_idle_ns;         /* when the first of the workers had stopped for good           */
    gs_i128 busy_ns;               /* sum over the workers                                         */
    gs_i128 gpu_gap_ns;            /* sum over the workers of gap_ns times GPUs                    */
    gs_i128 gpu_ends_ns;           /* sum over the workers of last_ns times GPUs                   */
};

/* A value that belongs to a job; n_jobs stands for all jobs together. */
struct gs_job_value {
    int64_t value;
    uint32_t job;
};

struct gs_job_values {
    struct gs_job_value *item;
    size_t n, capacity;
};

struct gs_worker_row {
    uint32_t host, gpu, n_gpus; /* gpu: of the host, GS_NONE: all of them */
    bool has_gaps;
    double gap_s[2];            /* median, greatest                       */
    struct gs_worker_sum sum;
};

struct gs_schedule_thread {
    struct gs_arena arena;
    struct gs_job_sum *job;             /* [n_jobs + 1], the last: all jobs       */
    struct gs_job_values gaps, tasks;   /* of every worker                        */
    struct gs_worker_row *worker;
    size_t n_workers, workers_capacity;
};

struct gs_schedule_sums {
    const struct gs_dataset *d;
    uint32_t event, n_jobs;
    unsigned n_threads;
    struct gs_schedule_thread *thread; /* [n_threads]; after collecting, job[] of thread 0 holds all */
};

enum gs_status gs_schedule_collect(struct gs_schedule_sums *s, struct gs_arena *own, struct gs_view_totals *totals,
                                   struct gs_err *err);

/* Gaps, or numbers of tasks, of all workers by job: (*value)[(*first)[j]] .. (*value)[(*first)[j + 1] - 1]. */
enum gs_status gs_schedule_values(const struct gs_schedule_sums *s, bool gaps, struct gs_arena *own, int64_t **value,
                                  size_t **first, struct gs_err *err);

void gs_schedule_release(struct gs_schedule_sums *s);

#endif
