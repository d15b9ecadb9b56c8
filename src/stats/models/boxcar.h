/* boxcar.h - a load that is on or off, seen through a running mean: least squares over its delay and window.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/arena.h"
#include "base/core/status.h"

/*
 * The integral of a load over time, straight from point to point: of 0 and 1 for one that is on or off, of W for a
 * meter's. Before the first point and after the last it stands still. t_ns ascending.
 */
struct gs_boxcar_curve {
    size_t n;
    const int64_t *t_ns;
    const double *sum; /* load x ns */
};

/*
 * Readings at instants t[0..n), ascending, are taken to be off + (on - off) x mean, where mean is that of the load over
 * [t - delay - window, t - delay]. For a load in W, on - off is the gain and off the offset. `before_unknown`: what the
 * load was before the curve's first point is one more unknown, a level of its own, and not 0.
 */
struct gs_boxcar_data {
    size_t n;
    const int64_t *t_ns;
    const double *reading;
    struct gs_boxcar_curve load;
    bool before_unknown;
};

/* Which windows and delays are tried: both bounds included. */
struct gs_boxcar_range {
    int64_t window_min_ns, window_max_ns, delay_max_ns;
    /*
     * Windows of the grid are no further apart than this; 0: 7 % of the window. A load that
     * repeats itself makes a minimum of each window that holds whole periods of it
     */
    int64_t window_step_ns;
    /* a fit that explains less is of no use: it may be given up before it is found */
    double r_squared_min;
};

struct gs_boxcar_fit {
    int64_t delay_ns, window_ns;
    double off, on, on_sd; /* on_sd: standard error of on at this delay and window */
    double rss, r_squared;
};

/*
 * Finds the best of the range with on > off: a grid of windows at most 7 % and delays a fortieth of their range
 * apart, then, from each window that is no worse than its neighbours, steps halved down to 10 us. The same to the last
 * bit on every machine.
 *
 * Errors: GS_ERR_RANGE where fewer than 5 readings are there, or none of the range fits (on > off), or plainly none reaches
 *         r_squared_min.
 * Memory: `scratch` is used and rewound.
 * Cost:   O((n + points of the load) x tries), about 4,000 tries.
 */
enum gs_status gs_boxcar_fit(const struct gs_boxcar_data *data, const struct gs_boxcar_range *range,
                             struct gs_arena *scratch, struct gs_boxcar_fit *fit,
                             struct gs_err *err);
