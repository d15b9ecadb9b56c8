/* loess.h - local regression: a smooth curve through a scatter of points. */
#pragma once

#include <stddef.h>

#include "base/core/status.h"
#include "stats/descriptive/xyorder.h"

struct gs_loess_options {
    /* share of the points in each neighbourhood, > 0; above 1 widens it beyond all points */
    double span;
    int degree; /* of the local polynomial: 0, 1 or 2                                                  */
};

/*
 * Stores in fit[0..n_at) the curve's height at at[0..n_at): at each place a polynomial fitted to the nearest
 * floor(n * span + 1e-5) points with tricube weights. Computed directly at every place, as R's
 * loess(..., control = loess.control(surface = "direct")) does, to 1e-11. R's default interpolates between a
 * few places and differs from that by up to 6e-5 on the relative times of a frequency sweep.
 *
 * Shapes:  points finite, repeated x allowed.
 * Errors:  GS_ERR_RANGE when span selects no point. Where a neighbourhood has too few distinct
 *          x for the degree, the degree is lowered there.
 * Cost:    O(n_at * n).
 * Source:  W. S. Cleveland, S. J. Devlin, Journal of the American Statistical Association 83, 1988.
 */
enum gs_status gs_loess(const struct gs_xy_order *points, const struct gs_loess_options *options,
                        const double *at, size_t n_at, double *fit, struct gs_err *err);
