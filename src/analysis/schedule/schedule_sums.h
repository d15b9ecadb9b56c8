/* schedule_sums.h - the state of the schedule's fold. */
#pragma once

#include "analysis/schedule/schedule.h"
#include "analysis/energy/energy.h"

/* A job, by its text; the first, without one, stands for all jobs together. */
struct gs_job_sum {
    uint64_t n_tasks, n_workers, n_gpus;
    int64_t first_ns, last_ns; /* first START, last STOP; GS_MISSING: no worker                 */
    int64_t first_idle_ns;     /* when the first of the workers had stopped for good            */
    gs_i128 busy_ns;           /* sum over the workers                                          */
    gs_i128 gpu_gap_ns;        /* sum over the workers of gap_ns times GPUs                     */
    gs_i128 gpu_ends_ns;       /* sum over the workers of last_ns times GPUs                    */
    struct gs_values gaps, tasks; /* between tasks; of every worker */
    struct gs_energy_sum waste;   /* what GPUs drew in the gaps between its tasks */
};

/*
 * A worker, by (host, 0 or 1 for a host with all its GPUs, serial, uuid). A worker belongs to one host, so its fields
 * are of one state.
 */
struct gs_worker_row {
    uint64_t n_gpus, n_tasks, n_gaps;
    int64_t first_ns, last_ns;
    gs_i128 busy_ns, gap_ns;
    /* the two in the middle, the greatest; GS_MISSING: no gaps */
    int64_t gap_low_ns, gap_high_ns, gap_max_ns;
    struct gs_energy_sum waste; /* what GPUs drew in the gaps between its tasks */
    struct gs_values from, to;  /* of the stretches in which tasks ran, where they are kept  */
};

/*
 * A GPU after the last STOP of its worker, by the worker's key and its number on the host: when the run ends is known only
 * where all its states are together, so its readings from there on are kept, some 4 bytes each.
 */
struct gs_tail_row {
    struct gs_str packed; /* see gs_tail_keep */
};

enum { GS_SCHEDULE_JOBS, GS_SCHEDULE_WORKERS, GS_SCHEDULE_TAILS, GS_N_SCHEDULE_TABLES };
enum { GS_WORKER_HOST, GS_WORKER_IS_HOST, GS_WORKER_SERIAL, GS_WORKER_UUID, GS_N_WORKER_KEYS };
enum { GS_TAIL_GPU = GS_N_WORKER_KEYS, GS_N_TAIL_KEYS };

/* Curves and trains of a host's GPUs, in `scratch`. Errors: as gs_energy_check. */
struct gs_waste_gpu;
enum gs_status gs_waste_prepare(const struct gs_host_view *host, struct gs_arena *scratch,
                                struct gs_waste_gpu **gpus, struct gs_err *err);

/*
 * Adds what GPU `gpu` of a host drew in n gaps: from t[0] to t[1], from t[2] to t[3], ascending. They share its sensor's
 * error, so they end as one GPU in the sum: each independent, the interval would be too narrow.
 */
enum gs_status gs_waste_add(const struct gs_waste_gpu *gpus, uint32_t gpu, const int64_t *t,
                            size_t n, struct gs_arena *scratch, struct gs_energy_sum *waste,
                            struct gs_err *err);

/*
 * What is needed of GPU `gpu` of a host to know later what it draws from `from_ns` to any later instant: its sensor, the
 * trains that it sees only in part, what its whole log tells of the power between readings, the readings that an edge there
 * looks at and all behind them. Nothing where it has no
 * readings. Errors: GS_ERR_MEMORY. Memory: `packed` lives in `arena`; `scratch` is used and rewound.
 */
enum gs_status gs_tail_keep(const struct gs_waste_gpu *gpus, uint32_t gpu, int64_t from_ns,
                            struct gs_arena *arena, struct gs_arena *scratch, struct gs_str *packed,
                            struct gs_err *err);

/* Adds what it drew from there, the same instant, to `to_ns`. Errors: GS_ERR_DATA for bytes that are none of these. */
enum gs_status gs_tail_add(struct gs_str packed, int64_t from_ns, int64_t to_ns,
                           struct gs_energy_sum *waste, struct gs_err *err);

enum { GS_BUSY_PARTS = 1000 };

/*
 * The frame "schedule-busy" in no list: one row per stretch in which a worker worked, and one from where it ran dry to
 * the end of the run. Workers in the order in which they ran dry; of more than GS_BUSY_WORKERS that many, at equal
 * distances in this order, the first and the last among them. A gap shorter than a part in GS_BUSY_PARTS of the run
 * divides nothing. Missing: workers whose stretches were not kept. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_schedule_busy(const struct gs_records *workers, int64_t first_ns, int64_t last_ns,
                                struct gs_arena *arena, struct gs_frame **busy, struct gs_err *err);

/* The finish of gs_schedule_fold. */
enum gs_status gs_schedule_finish(const struct gs_finish *of, struct gs_frames *out,
                                  struct gs_err *err);
