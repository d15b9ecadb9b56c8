/* within.c - subtracts group means, then sums squares and products. */
#include "stats/descriptive/within.h"

#include <math.h>
#include <stdbool.h>

#include "base/num/dd.h"

static bool counts(const double *x, const double *y, const uint32_t *group, size_t i, uint32_t k)
{
    return group[i] == k && !isnan(x[i]) && !isnan(y[i]);
}

/*
 * Takes the means of a group out of its rows. A column that is constant becomes exactly 0. x and y
 * are changed in place: gs_real_within's caller must not need them afterwards.
 */
static void centre(double *x, double *y, const uint32_t *group, size_t n, uint32_t k)
{
    struct gs_dd sx = gs_dd_of(0), sy = gs_dd_of(0);
    int64_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (counts(x, y, group, i, k)) {
            sx = gs_dd_add(sx, gs_dd_of(x[i]));
            sy = gs_dd_add(sy, gs_dd_of(y[i]));
            used++;
        }
    if (used == 0)
        return;
    const struct gs_dd rows = gs_dd_of_int(used), mx = gs_dd_div(sx, rows),
                       my = gs_dd_div(sy, rows);
    for (size_t i = 0; i < n; i++)
        if (counts(x, y, group, i, k)) {
            x[i] = gs_dd_to_double(gs_dd_sub(gs_dd_of(x[i]), mx));
            y[i] = gs_dd_to_double(gs_dd_sub(gs_dd_of(y[i]), my));
        }
}

/* Does a column vary inside some group? Asked before the means go, where it can be seen exactly. */
static bool varies(const double *v, const double *x, const double *y, const uint32_t *group,
                   size_t n, size_t n_groups)
{
    for (uint32_t k = 0; k < n_groups; k++) {
        double first = NAN;
        for (size_t i = 0; i < n; i++) {
            if (!counts(x, y, group, i, k))
                continue;
            if (v[i] < first || v[i] > first)
                return true;
            first = v[i];
        }
    }
    return false;
}

void gs_real_within(double *x, double *y, const uint32_t *group, size_t n, size_t n_groups,
                    double *r, double *slope)
{
    struct gs_dd xx = gs_dd_of(0), yy = gs_dd_of(0), xy = gs_dd_of(0);
    *r = *slope = NAN;
    if (!varies(x, x, y, group, n, n_groups) || !varies(y, x, y, group, n, n_groups))
        return;
    for (uint32_t k = 0; k < n_groups; k++)
        centre(x, y, group, n, k);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]) || group[i] >= n_groups)
            continue;
        xx = gs_dd_add(xx, gs_dd_two_product(x[i], x[i]));
        yy = gs_dd_add(yy, gs_dd_two_product(y[i], y[i]));
        xy = gs_dd_add(xy, gs_dd_two_product(x[i], y[i]));
    }
    if (!(xx.hi > 0) || !(yy.hi > 0)) /* squares below the least double */
        return;
    *r = fmin(1, fmax(-1, gs_dd_to_double(gs_dd_div(xy, gs_dd_sqrt(gs_dd_mul(xx, yy))))));
    *slope = gs_dd_to_double(gs_dd_div(xy, xx));
}
