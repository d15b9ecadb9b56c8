/* xyorder.h - the points of a scatter in an order that does not depend on how they came; internal. */
#pragma once

#include <stddef.h>

#include "base/core/arena.h"
#include "base/core/status.h"

struct gs_xy_order {
    size_t n;      /* points without a NaN              */
    double *x, *y; /* [n], ascending in x, then in y   */
};

/* Copies and orders the points into `arena`. GS_ERR_MEMORY. */
enum gs_status gs_xy_order(const double *x, const double *y, size_t n, struct gs_arena *arena,
                           struct gs_xy_order *points, struct gs_err *err);
