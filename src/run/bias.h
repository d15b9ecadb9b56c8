/* bias.h - what the nearest join hides: events at their two ends against all samples inside. */
#ifndef GPUSTAT_BIAS_H
#define GPUSTAT_BIAS_H

#include "model/frame.h"
#include "view/join.h"

/* The frame, and the same numbers as (event, join, power, utilisation) rows for a figure. */
struct gs_bias_frames {
    struct gs_frame *bias;
    struct gs_frame *by_join; /* not appended to `out`: event, join, power_mean_w, gpu_util_mean_pct */
};

/*
 * Appends the frame "bias": one row per event name, in the order of the names. The bias of a metric is the mean of
 * (nearest - window) over the pairs that have both. The frame's title says what is hidden of the event on which
 * the bias of power weighs most (bias times the time of its pairs).
 *
 * `nearest` gives ties and tolerance; its join is taken as GS_JOIN_NEAREST.
 * Missing: a mean over no pair.
 * Errors:  GS_ERR_DATA as gs_energy_check; GS_ERR_MEMORY.
 * Memory:  the frames live in `arena`.
 * Cost:    one visit of the hosts, two joins.
 */
enum gs_status gs_bias(const struct gs_dataset *d, const struct gs_join_options *nearest, unsigned n_threads,
                       struct gs_arena *arena, struct gs_frames *out, struct gs_bias_frames *frames,
                       struct gs_err *err);

#endif
