/* quantile.h - exact type-7 quantiles and the median absolute deviation, by selection. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

/* A probability num / den with num <= den and 0 < den <= 10^6, so that places in the order are exact. */
struct gs_prob {
    uint32_t num, den;
};

#define GS_PROB_MEDIAN ((struct gs_prob){1, 2})

/* Multiply a median absolute deviation by this to estimate the standard deviation of normal data. */
#define GS_MAD_TO_SD 1.4826022185056018

/*
 * Stores the type-7 quantiles of x[0..n) at p[0..n_p), in the order of p, in out[0..n_p).
 *
 * Shapes:  x is reordered; p in any order.
 * Units:   of x divided by `scale` > 0; interpolated in integers and rounded once.
 * Missing: GS_MISSING is left out.
 * Errors:  GS_ERR_RANGE "quantile undefined: no values".
 * Memory:  allocates nothing.
 * Cost:    O(n * n_p) at worst, near O(n) for a few p; never quadratic in n.
 * Source:  R. J. Hyndman, Y. Fan, The American Statistician 50, 1996, definition 7.
 */
enum gs_status gs_quantiles(int64_t *x, size_t n, const struct gs_prob *p, size_t n_p,
                            int64_t scale, double *out, struct gs_err *err);

/*
 * The same over doubles, NaN being missing; x is left as it is. Interpolated in double-double.
 * Memory:  `scratch` holds a copy of x during the call and is rewound.
 */
enum gs_status gs_real_quantiles(const double *x, size_t n, const struct gs_prob *p, size_t n_p,
                                 struct gs_arena *scratch, double *out, struct gs_err *err);

/*
 * Stores the median and the median absolute deviation from it, unscaled by GS_MAD_TO_SD. Exact for every
 * int64; x is reordered and overwritten. Rest as gs_quantiles.
 */
enum gs_status gs_mad(int64_t *x, size_t n, int64_t scale, double *median, double *mad,
                      struct gs_err *err);
enum gs_status gs_real_mad(const double *x, size_t n, struct gs_arena *scratch, double *median,
                           double *mad, struct gs_err *err);

/* The median, rounded down, 0 of no values; x is reordered. */
int64_t gs_median(int64_t *x, size_t n);

/*
 * That of the steps between neighbours of t[0..n), ascending, that differ; room: [n]. A step beyond int64 is clipped: it can
 * only be the largest, which moves no median of several.
 */
int64_t gs_median_step(const int64_t *t, size_t n, int64_t *room);

/* Puts the k-th smallest (from 0) of x[0..n) at x[k], none greater before it, none smaller behind. O(n). */
void gs_select(int64_t *x, size_t n, size_t k);

/* How many of x[0..n), ascending, are below the limit: where the first is that is not. O(log n). */
size_t gs_count_below(const int64_t *x, size_t n, int64_t limit);

/* The order of int64_t, for qsort and bsearch. */
int gs_compare_int64(const void *a, const void *b);
