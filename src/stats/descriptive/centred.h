/* centred.h - centred sums, shared by correlation and regression. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/num/dd.h"

/* Centred sums over the pairs of two series without NaN. */
struct gs_centred {
    size_t n;
    bool x_constant, y_constant;
    struct gs_dd mean_x, mean_y;
    struct gs_dd xx, yy, xy; /* sums of products of deviations from the means */
};

/* Two passes; all zero where n = 0. */
struct gs_centred gs_centred_of(const double *x, const double *y, size_t n);
