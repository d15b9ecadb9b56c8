/* moments.h - count, mean, deviation and extremes of a series, exact until one last rounding. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/num/decimal.h"
#include "base/num/int192.h"
#include "base/core/status.h"

/*
 * Sums over int64 values in fixed-point units. Valid when zeroed. Holds no pointers: copy it, keep an array
 * of it, merge two with gs_moments_merge, never free it. No sum overflows for any values and any n < 2^64.
 */
struct gs_moments {
    uint64_t n;             /* values used                             */
    uint64_t n_missing;     /* values left out: GS_MISSING             */
    gs_i128 sum;            /* fixed-point units                       */
    struct gs_i192 squares; /* sum of squares, fixed-point units^2     */
    int64_t min, max;       /* meaningful where n > 0                  */
};

/* Adds one value. GS_MISSING is counted, never taken as a number. */
static inline void gs_moments_add(struct gs_moments *m, int64_t x)
{
    if (x == GS_MISSING) {
        m->n_missing++;
        return;
    }
    if (m->n == 0 || x < m->min)
        m->min = x;
    if (m->n == 0 || x > m->max)
        m->max = x;
    m->n++;
    m->sum += x;
    gs_i192_add(&m->squares, (gs_i128)x * x);
}

/* Adds what `other` has seen; the order and grouping of merges does not matter. */
void gs_moments_merge(struct gs_moments *m, const struct gs_moments *other);

/*
 * The mean; the sample variance and standard deviation, with divisor n - 1; the least and greatest value.
 *
 * Units:   of the values divided by `scale` > 0, e.g. GS_NS_PER_MS or GS_FIXED_ONE.
 *          The division is part of the exact fraction, so the result is rounded once: correctly where
 *          n * scale < 2^48, else to within 1 part in 2^52.
 * Errors:  GS_ERR_RANGE when n = 0, for the deviation when n < 2.
 * Memory:  allocates nothing.
 */
enum gs_status gs_moments_mean(const struct gs_moments *m, int64_t scale, double *mean,
                               struct gs_err *err);
enum gs_status gs_moments_ssd(const struct gs_moments *m, int64_t scale, double *ssd,
                              struct gs_err *err);
enum gs_status gs_moments_min(const struct gs_moments *m, int64_t scale, double *min,
                              struct gs_err *err);
enum gs_status gs_moments_max(const struct gs_moments *m, int64_t scale, double *max,
                              struct gs_err *err);

/* The same facts about a series of doubles. What is undefined is NaN. */
struct gs_real_moments {
    size_t n;         /* values used                          */
    size_t n_missing; /* values left out: NaN                 */
    double sum, mean; /* sum of none is 0, mean of none NaN   */
    double svar, ssd; /* divisor n - 1; NaN where n < 2       */
    double min, max;  /* NaN where n = 0                      */
};

/*
 * Describes x[0..n), finite or NaN (missing), in two passes of double-double sums.
 *
 * Shapes:  give rows in key order: another order can change the last bit of a result.
 * Memory:  allocates nothing.
 * Cost:    O(n), two passes.
 */
struct gs_real_moments gs_real_describe(const double *x, size_t n);
