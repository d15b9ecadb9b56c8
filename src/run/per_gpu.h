/* per_gpu.h - every GPU's means over the whole run, and how they go with its task time. */
#ifndef GPUSTAT_PER_GPU_H
#define GPUSTAT_PER_GPU_H

#include "stats/corr.h"
#include "model/frame.h"
#include "view/host_view.h"
#include "model/plot.h"
#include "stats/regress.h"

/* One GPU. Means are NaN where it has no reading, the task time where its host has no pair. */
struct gs_gpu_means {
    uint64_t n_samples, n_tasks;
    double *metric;              /* [n_metrics] of the dataset, over all its samples */
    double task_s;               /* mean duration of the host's pairs of the event */
};

/*
 * Stores one entry per GPU of the dataset, in its order. With a GPU column in the checkpoints pairs that
 * name a GPU count for it alone, the others for every GPU of their host.
 *
 * Rounds:  each mean once, from exact sums.
 * Errors:  GS_ERR_DATA when `event` is unknown; GS_ERR_MEMORY.
 * Memory:  *means lives in `arena`.
 */
enum gs_status gs_gpu_means(const struct gs_dataset *d, const char *event, unsigned n_threads, struct gs_arena *arena,
                            struct gs_gpu_means **means, struct gs_notes *notes, struct gs_err *err);

/* Appends the frame "gpus": one row per GPU, by hostname, serial, uuid. */
enum gs_status gs_gpus_frame(const struct gs_dataset *d, const struct gs_gpu_means *means, struct gs_arena *arena,
                             struct gs_frames *out, struct gs_err *err);

/* How one metric goes with the task time over all GPUs. What is undefined is NaN. */
struct gs_metric_relation {
    struct gs_corr_test pearson;
    double spearman_rho;
    struct gs_line line; /* task_s on the metric */
};

/*
 * Correlates each metric's means with task_s over the GPUs that have both: exactly what a reader of the
 * printed gpus frame would compute. Shapes: (*relation)[d->n_metrics], in `arena`.
 */
enum gs_status gs_correlate(const struct gs_dataset *d, const struct gs_gpu_means *means, double level,
                            struct gs_arena *arena, struct gs_metric_relation **relation, struct gs_err *err);

/* Appends the frame "correlate": one row per metric. */
enum gs_status gs_correlate_frame(const struct gs_dataset *d, const struct gs_metric_relation *relation, double level,
                                  struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

/* The line and r of a relation as a figure shows them. */
struct gs_fit gs_relation_fit(const struct gs_metric_relation *relation);

#endif
