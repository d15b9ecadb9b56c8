/* per_gpu.h - every GPU's means over the whole run, and how they go with its task time. */
#pragma once

#include "data/result/frame.h"
#include "data/result/plot.h"
#include "analysis/gpus/clusters.h"
#include "stats/descriptive/corr.h"
#include "stats/descriptive/regress.h"

/*
 * Appends the frame "gpus": one row per GPU, by hostname, serial, uuid. Means are over all its samples, and over the
 * tasks of the GPU or, where they name none, of its host.
 *
 * Rounds:  each mean once, from exact sums.
 * Missing: a mean of nothing. Errors: GS_ERR_MEMORY. Memory: the frame lives in `arena`.
 */
enum gs_status gs_gpus_frame(const struct gs_gpu_list *fleet, struct gs_arena *arena,
                             struct gs_frames *out, struct gs_err *err);

/* How one metric goes with the task time over all units. What is undefined is NaN. */
struct gs_metric_relation {
    struct gs_corr_test pearson;
    double spearman_rho;
    struct gs_line line; /* task seconds on the metric                                       */
    /* the same inside the populations: of deviations from their means */
    double r_within, slope_within;
    double within_low, within_high; /* of r_within, by Fisher's z                               */
    double within_p;                /* of r_within = 0, by Student's t                          */
};

/*
 * Correlates each metric's means with the mean task time over the units that have both: where each is a GPU, exactly
 * what a reader of the printed gpus frame would compute. Shapes: (*relation)[n_metrics], in `arena`.
 */
enum gs_status gs_correlate(const struct gs_clusters *clusters, uint32_t n_metrics, double level,
                            struct gs_arena *arena, struct gs_metric_relation **relation,
                            struct gs_err *err);

/* Appends the frame "correlate": one row per metric, counters aside. */
enum gs_status gs_correlate_frame(const struct gs_facts *facts,
                                  const struct gs_metric_relation *relation, double level,
                                  struct gs_arena *arena, struct gs_frames *out,
                                  struct gs_err *err);

/*
 * Both from the hosts on. Options: struct gs_per_gpu_options. Also, of the former: struct gs_gpus_found, what a figure
 * of the GPUs is drawn from, in the arena of the frames.
 */
extern const struct gs_fold gs_gpus_fold, gs_correlate_fold;

struct gs_per_gpu_options {
    struct gs_profile_options profile;
    double level; /* of the intervals */
};

struct gs_gpus_found {
    uint32_t *of_gpu; /* [rows] as in gs_clusters           */
    size_t n_clusters;
    struct gs_metric_relation *relation; /* [n_metrics]        */
};

/* The line and r of a relation as a figure shows them. */
struct gs_fit gs_relation_fit(const struct gs_metric_relation *relation);
