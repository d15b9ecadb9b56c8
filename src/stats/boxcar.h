/* boxcar.h - a load that is on or off, seen through a running mean: least squares over its delay and window.
 */
#ifndef GPUSTAT_BOXCAR_H
#define GPUSTAT_BOXCAR_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* A stretch in which the load was on. */
struct gs_boxcar_burst {
    int64_t start_ns, stop_ns;
};

/*
 * Readings at instants t[0..n), ascending, are taken to be off + (on - off) x share, where share is how much
 * of [t - delay - window, t - delay] lies in the bursts (ascending, disjoint).
 */
struct gs_boxcar_data {
    size_t n, n_bursts;
    const int64_t *t_ns;
    const double *reading;
    const struct gs_boxcar_burst *burst;
};

/* Which windows and delays are tried: both bounds included. */
struct gs_boxcar_range {
    int64_t window_min_ns, window_max_ns, delay_max_ns;
};

struct gs_boxcar_fit {
    int64_t delay_ns, window_ns;
    double off, on, on_sd; /* on_sd: standard error of on at this delay and window */
    double rss, r_squared;
};

/*
 * Finds the best of the range with on > off: a grid of windows 7 % and delays a fortieth of their range
 * apart, then steps halved around the best down to 10 us. The same to the last bit on every machine.
 *
 * Errors: GS_ERR_RANGE where fewer than 5 readings are there, or none of the range fits (on > off).
 * Memory: `scratch` is used and rewound.
 * Cost:   O((n + n_bursts) x tries), about 4,000 tries.
 */
enum gs_status gs_boxcar_fit(const struct gs_boxcar_data *data, const struct gs_boxcar_range *range,
                             struct gs_arena *scratch, struct gs_boxcar_fit *fit, struct gs_err *err);

#endif
