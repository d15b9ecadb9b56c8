/* knee.h - where a curve bends: the best fit of two line segments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/arena.h"
#include "stats/descriptive/regress.h"
#include "base/core/status.h"

struct gs_knee {
    double x;                   /* the break: left line up to here, right line from here        */
    struct gs_line left, right; /* only n, slope and intercept are set, the rest is NaN        */
    double sse;                 /* sum of squared residuals of both                             */
    double sse_line;            /* of one line through all points: what tests measure sse by    */
};

/*
 * Finds the two-segment line with the least sum of squared residuals, exhaustively.
 *
 * Each segment holds at least two distinct x. `continuous`: the segments meet; the break is where they meet,
 * anywhere between the second and the last but one distinct x (a break at an observed x counts that x's
 * points to the left). Otherwise they need not meet and the break is half-way between the neighbouring x of
 * the two. Of equal fits the lowest break wins.
 *
 * Shapes:  x[0..n), y[0..n), any order, repeated x allowed.
 * Missing: a point with a NaN is left out.
 * Errors:  GS_ERR_RANGE "knee undefined: fewer than 4 distinct x"; GS_ERR_MEMORY.
 * Memory:  `scratch` is rewound.
 * Cost:    O(n), after ordering.
 * Source:  D. J. Hudson, Journal of the American Statistical Association 61, 1966.
 */
enum gs_status gs_knee_find(const double *x, const double *y, size_t n, bool continuous,
                            struct gs_arena *scratch, struct gs_knee *knee, struct gs_err *err);
