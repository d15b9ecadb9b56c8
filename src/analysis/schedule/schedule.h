/* schedule.h - how well the workers were kept busy: makespan, gaps, tail, per job and per worker. */
#pragma once

#include "data/result/frame.h"
#include "analysis/aggregate/fold.h"

/* A task on a worker: the GPU that its checkpoints name, else the host with all its GPUs. */
struct gs_task_time {
    int64_t start_ns, stop_ns; /* stop_ns >= start_ns                             */
    uint32_t worker, job;      /* worker: GPU of the host, GS_NONE: the host itself */
};

/* What a worker did for one job, or for all. */
struct gs_worker_sum {
    uint64_t n_tasks;
    int64_t first_ns, last_ns; /* first START, last STOP                              */
    gs_i128 busy_ns;           /* time in which at least one task ran                 */
    gs_i128 gap_ns;            /* the rest between first_ns and last_ns               */
};

/*
 * Adds up tasks of one worker. Between each task and the next by START lies one gap: from the last STOP so far
 * to the next START, 0 where they overlap.
 *
 * Shapes: task[0..n), n > 0, ascending by start_ns; gap[0..n - 1) in ns, at most INT64_MAX.
 */
struct gs_worker_sum gs_worker_add_up(const struct gs_task_time *task, size_t n, int64_t *gap);

struct gs_schedule_options {
    const char *event; /* that is a task                                                        */
    int by_worker; /* 0 or 1: which of the frames is appended to `out`: that of the workers, or jobs */
    bool spans;    /* when each worker was busy is kept, too                                 */
};

/* Of more workers the busy times of so many are kept, spread from the first that ran dry to the last. */
enum { GS_BUSY_WORKERS = 40 };

struct gs_schedule_frames {
    struct gs_frame *jobs, *workers; /* the one that was not asked for is not appended to `out` */
    struct gs_frame *busy;           /* see gs_schedule_busy; NULL without spans                */
};

/*
 * The frames "schedule" (one row per job in the order of their names, then one without a name for all) and
 * "schedule-workers" (one row per worker, by host and GPU) over the pairs of `event` whose STOP is not before their
 * START, of which one is appended. Options: struct gs_schedule_options. Also: struct gs_schedule_frames.
 *
 * Missing: quantiles of no gap; rates and shares of a makespan of 0.
 * Errors:  GS_ERR_DATA where the event is not there; GS_ERR_MEMORY.
 * Cost:    sorting each host's tasks.
 */
extern const struct gs_fold gs_schedule_fold;
