/* corr.h - correlation of two series: Pearson, one pass, exact; Spearman; interval and test. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/num/decimal.h"
#include "base/num/int192.h"
#include "base/core/status.h"

/*
 * Sums over pairs (x, y) of integers. Valid when zeroed, holds no pointers. No sum overflows for any values and any
 * n < 2^64.
 */
struct gs_corr {
    uint64_t n;                   /* pairs used                         */
    uint64_t n_missing;           /* pairs left out: x or y was missing */
    gs_i128 sx, sy;               /* sums                               */
    struct gs_i192 sxx, syy, sxy; /* sums of products                  */
};

/* Adds one pair. GS_MISSING on either side is counted, never taken as a number. */
static inline void gs_corr_add(struct gs_corr *c, int64_t x, int64_t y)
{
    if (x == GS_MISSING || y == GS_MISSING) {
        c->n_missing++;
        return;
    }
    c->n++;
    c->sx += x;
    c->sy += y;
    gs_i192_add(&c->sxx, (gs_i128)x * x);
    gs_i192_add(&c->syy, (gs_i128)y * y);
    gs_i192_add(&c->sxy, (gs_i128)x * y);
}

/* A coefficient with its interval and the test of "no correlation". What is undefined is NaN. */
struct gs_corr_test {
    uint64_t n;             /* pairs used                                                     */
    double r;               /* -1 .. 1                                                        */
    double ci_low, ci_high; /* Fisher's z at the level asked for; NaN where n < 4             */
    double p_value;         /* two-sided, t with n - 2 degrees of freedom; NaN where n < 3    */
};

/*
 * Pearson's r from exact integer numerators, with interval and p value; `level` in (0, 1) is the interval's, e.g. 0.95.
 * Both are computed in double-double from the exact r and 1 - r^2 and rounded once: right to the last digit,
 * p down to 1e-307 and 0 where it is below the least double. A level that is the double of a decimal of up to
 * nine digits means that decimal.
 * Errors:  GS_ERR_RANGE "correlation undefined: x is constant" (y likewise), "... fewer than 2 pairs".
 * Source:  R. A. Fisher, Metron 1, 1921, for the interval.
 */
enum gs_status gs_corr_test(const struct gs_corr *c, double level, struct gs_corr_test *test,
                            struct gs_err *err);

/*
 * The same for x[0..n), y[0..n) of doubles, a pair with a NaN being left out: two passes, double-double.
 * Rows in key order: another order can change the last bit. For magnitudes of 1e-70 to 1e70.
 */
enum gs_status gs_real_corr_test(const double *x, const double *y, size_t n, double level,
                                 struct gs_corr_test *test, struct gs_err *err);

/*
 * Spearman's rho: Pearson's r of the mid-ranks, exact, with the interval and p value of r.
 * Shapes:  x[0..n), y[0..n), any order; the result does not depend on it.
 * Missing: a pair with NaN on either side is left out before ranking.
 * Errors:  as gs_corr_test; GS_ERR_MEMORY.
 * Memory:  `scratch` is rewound.
 * Cost:    O(n).
 */
enum gs_status gs_real_spearman(const double *x, const double *y, size_t n, double level,
                                struct gs_arena *scratch, struct gs_corr_test *test,
                                struct gs_err *err);
