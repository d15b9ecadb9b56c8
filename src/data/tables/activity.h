/* activity.h - when the GPUs of a run worked. */
#pragma once

#include "base/core/notes.h"
#include "base/num/int128.h"
#include "data/tables/dataset.h"

/* What all GPUs did in equal stretches of time. */
struct gs_activity {
    int64_t from_ns, bin_ns;
    size_t n;
    gs_i128 *sum;     /* [n] readings, fixed-point */
    uint64_t *count;  /* [n] 0: nothing is known   */
    uint32_t *active; /* [n + 1] active bins before each */
    uint32_t *known;  /* [n + 1] known bins before each  */
};

/*
 * From the readings of a metric. Errors: GS_ERR_DATA where they do not tell when the GPUs worked; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_activity_find(const struct gs_dataset *d, uint32_t metric, struct gs_activity *a,
                                struct gs_arena *arena);

/*
 * The first of the windows of so many bins that fit best, so that the result is always the same. *alone: none that it does
 * not overlap fits as well.
 */
size_t gs_activity_best(const struct gs_activity *a, size_t width, bool *alone);

/*
 * Warns where events and samples, neither of which names its zone, would fit far better some half hours apart: GPUs active
 * in 80 % of the events' time, 30 points more than now. Needs a utilisation that rises and falls.
 * Errors: GS_ERR_MEMORY. Cost: O(samples + 57 x events).
 */
enum gs_status gs_doubt_zone(const struct gs_dataset *d, struct gs_notes *notes,
                             struct gs_err *err);
