/* forest_error.c - how far a forest is off, from operations that it never saw. */
#include <math.h>

#include "studies/forest/forest_fit.h"
#include "stats/descriptive/quantile.h"
#include "stats/descriptive/rank.h"

static double spread_of(const struct gs_forest_answer *a, enum gs_forest_quantity q)
{
    if (q == GS_FOREST_OF_TIME)
        return a->time_spread;
    if (q == GS_FOREST_OF_POWER)
        return a->power_spread;
    return sqrt(a->time_spread * a->time_spread + a->power_spread * a->power_spread);
}

static double value_of(double time_s, double power_w, enum gs_forest_quantity q)
{
    if (q == GS_FOREST_OF_TIME)
        return time_s;
    if (q == GS_FOREST_OF_POWER)
        return power_w;
    return time_s * power_w;
}

struct gs_forest_interval gs_forest_interval(const struct gs_forest *forest,
                                             enum gs_forest_quantity quantity,
                                             const struct gs_forest_answer *answer)
{
    const struct gs_forest_error *const e = &forest->error[quantity];
    const double v = value_of(answer->time_s, answer->power_w, quantity),
                 off = e->factor * (e->floor + spread_of(answer, quantity));
    if (!(e->factor > 0) || !(v > 0) || !isfinite(off))
        return (struct gs_forest_interval){(double)NAN, (double)NAN};
    const double low = exp(-off), high = exp(off);
    return (struct gs_forest_interval){v * low, v * high};
}

/* From answers of forests that saw none of the operations. */
enum gs_status gs_forest_error_of(const struct gs_operations *ops, const struct gs_forest_answer *a,
                                  enum gs_forest_quantity q, struct gs_arena *scratch,
                                  struct gs_forest_error *e, struct gs_err *err)
{
    GS_NEW_RAW(double, spread, ops->n, scratch, err);
    GS_NEW_RAW(double, off, ops->n, scratch, err);
    size_t n = 0;
    double median;
    for (size_t i = 0; i < ops->n; i++) {
        const double measured = value_of(ops->row[i].time_s, ops->row[i].power_w, q),
                     predicted = value_of(a[i].time_s, a[i].power_w, q);
        if (!(measured > 0) || !(predicted > 0) || !isfinite(spread_of(&a[i], q)))
            continue;
        spread[n] = spread_of(&a[i], q);
        off[n++] = fabs(log(measured / predicted));
    }
    /* The rank among n + 1, of which the next operation is one; in whole numbers. */
    const size_t rank = ((n + 1) * 95 + 99) / 100;
    if (n == 0 || rank > n)
        return GS_OK;
    GS_TRY(gs_real_quantiles(spread, n, &GS_PROB_MEDIAN, 1, scratch, &median, err));
    const double floor = fmax(median, 1e-3); /* trees that agree are not sure to a per mille */
    GS_NEW_RAW(int64_t, key, n, scratch, err);
    for (size_t i = 0; i < n; i++)
        key[i] = gs_real_key(off[i] / (floor + spread[i]));
    gs_select(key, n, rank - 1);
    *e = (struct gs_forest_error){gs_real_of_key(key[rank - 1]), floor};
    return GS_OK;
}
