/* xyorder.c - two stable orderings: by y, then by x. */
#include "stats/descriptive/xyorder.h"

#include <math.h>

#include "stats/descriptive/rank.h"

enum gs_status gs_xy_order(const double *x, const double *y, size_t n, struct gs_arena *arena,
                           struct gs_xy_order *points, struct gs_err *err)
{
    GS_NEW_RAW(int64_t, kx, n, arena, err);
    GS_NEW_RAW(int64_t, ky, n, arena, err);
    GS_NEW_RAW(int64_t, by_y, n, arena, err);
    GS_NEW_RAW(uint32_t, order, n, arena, err);
    GS_NEW_RAW(uint32_t, then, n, arena, err);
    struct gs_xy_order p = {0};
    GS_TAKE_RAW(p.x, n, arena, err);
    GS_TAKE_RAW(p.y, n, arena, err);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        kx[p.n] = gs_real_key(x[i]);
        ky[p.n++] = gs_real_key(y[i]);
    }
    GS_TRY(gs_order(ky, p.n, order, arena, err));
    for (size_t i = 0; i < p.n; i++)
        by_y[i] = kx[order[i]];
    /* gs_order is stable, so points of equal x stay in the order of y. */
    GS_TRY(gs_order(by_y, p.n, then, arena, err));
    for (size_t i = 0; i < p.n; i++) {
        p.x[i] = gs_real_of_key(by_y[then[i]]);
        p.y[i] = gs_real_of_key(ky[order[then[i]]]);
    }
    *points = p;
    return GS_OK;
}
