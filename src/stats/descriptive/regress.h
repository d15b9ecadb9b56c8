/* regress.h - the least-squares line y = intercept + slope * x. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/status.h"

/* A fitted line. What is undefined is NaN. */
struct gs_line {
    uint64_t n;       /* points used                                     */
    double slope;     /* units of y per unit of x                        */
    double intercept; /* units of y                                      */
    double r_squared; /* share of y's variance explained; NaN where y is constant */
};

/*
 * Fits a line through x[0..n), y[0..n) in double-double.
 *
 * Missing: a pair with a NaN is left out.
 * Errors:  GS_ERR_RANGE "line undefined: x is constant", "line undefined: fewer than 2 points".
 * Memory:  allocates nothing.
 * Cost:    O(n), three passes.
 */
enum gs_status gs_real_line(const double *x, const double *y, size_t n, struct gs_line *line,
                            struct gs_err *err);

/* The line's height at x. */
static inline double gs_line_at(const struct gs_line *line, double x)
{
    return line->intercept + line->slope * x;
}
