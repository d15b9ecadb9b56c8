/* bias.h - what the nearest join hides: events at their two ends against all samples inside. */
#pragma once

#include "data/result/frame.h"
#include "analysis/aggregate/fold.h"

/* The frame, and the same numbers as (event, join, power, utilisation) rows for a figure. */
struct gs_bias_frames {
    /* not appended to `out`: event, join, power_mean_w, gpu_util_mean_pct, sampled, n */
    struct gs_frame *by_join;
    struct gs_frame *bias;
};

/*
 * The frame "bias": one row per event name, in the order of the names. The bias of a metric is the mean of
 * (nearest - window) over the pairs that have both. The frame's title says what is hidden of the event on which
 * the bias of power weighs most (bias times the time of its pairs).
 *
 * Options: struct gs_join_options, of which ties and tolerance count. Also: struct gs_bias_frames.
 * Missing: a mean over no pair.
 * Errors:  GS_ERR_DATA as gs_energy_check; GS_ERR_MEMORY.
 * Cost:    two joins.
 */
extern const struct gs_fold gs_bias_fold;
