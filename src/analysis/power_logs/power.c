/* power.c - the study's evaluation of a power log, one GPU at a time, in exact integers. */
#include "analysis/power_logs/power.h"

#include <math.h>

#include "base/num/dd.h"
#include "base/num/int192.h"
#include "base/num/order.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/quantile.h"
#include "base/num/timestamp.h"
#include "base/num/whole.h"

/* A reading times a step of time: 10^-6 W * 10^-9 s; two of them make a trapezoid's double. */
#define TWICE_ENERGY_PER_J 2e15

/*
 * The parts are added in double-double and rounded once, so the result does not depend on the
 * order of the readings.
 */
static double to_double(const struct gs_i192 *v)
{
    const struct gs_dd high = gs_dd_mul(gs_dd_of((double)v->hi), gs_dd_of(0x1p128));
    const struct gs_dd middle = gs_dd_mul(gs_dd_of_int((gs_i128)(v->lo >> 64)), gs_dd_of(0x1p64));
    const struct gs_dd low = gs_dd_of_int((gs_i128)(v->lo & UINT64_MAX));
    return gs_dd_to_double(
        gs_dd_div(gs_dd_add(high, gs_dd_add(middle, low)), gs_dd_of(TWICE_ENERGY_PER_J)));
}

/* Twice the whole log in integers, which is exact. Of several readings at one instant their mean counts, as in every energy. */
static double trapezoid_j(const struct gs_log *log, int64_t max_gap_ns)
{
    const int64_t *const t = log->t_ns, *const p = log->value[GS_LOG_POWER];
    struct gs_i192 twice = {0};
    int64_t before = 0;
    for (size_t i = 0, end; i < log->n; i = end) {
        gs_i128 sum = 0;
        for (end = i; end < log->n && t[end] == t[i]; end++)
            sum += p[end];
        const int64_t now = (int64_t)gs_div_nearest(sum, (gs_i128)(end - i));
        const gs_i128 dt = i == 0 ? 0 : (gs_i128)t[i] - t[i - 1];
        if (max_gap_ns <= 0 || dt <= max_gap_ns) {
            gs_i192_add(&twice, before * dt); /* apart: their sum could reach past 128 bits */
            gs_i192_add(&twice, now * dt);
        }
        before = now;
    }
    return to_double(&twice);
}

/*
 * |W - mean| < 3 sd in integers: with u the readings from their least, in steps of their common divisor, S
 * and Q their sum and sum of squares, (n u - S)^2 (n - 1) < 9 n (n Q - S^2).
 */
static bool filter_exactly(const int64_t *p, size_t n, int64_t least, int64_t greatest, bool *kept)
{
    uint64_t step = 0;
    for (size_t i = 0; i < n; i++)
        step = gs_gcd((uint64_t)p[i] - (uint64_t)least, step);
    const uint64_t range = ((uint64_t)greatest - (uint64_t)least) / step;
    const double bits = log2(9.0) + 3.0 * log2((double)n) + 2.0 * log2((double)range);
    /*
     * Beyond that the products could pass 127 bits: the filter then uses double-double. Real logs
     * have two decimals, a common divisor and far fewer bits.
     */
    if (bits > 125.0)
        return false;
    gs_i128 sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const gs_i128 u = (gs_i128)(((uint64_t)p[i] - (uint64_t)least) / step);
        sum += u;
        squares += u * u;
    }
    const gs_i128 count = (gs_i128)n, bound = 9 * count * (count * squares - sum * sum);
    for (size_t i = 0; i < n; i++) {
        const gs_i128 d = count * (gs_i128)(((uint64_t)p[i] - (uint64_t)least) / step) - sum;
        kept[i] = d * d * (count - 1) < bound;
    }
    return true;
}

static void filter(const int64_t *p, size_t n, const struct gs_moments *all, bool *kept)
{
    double mean = 0, sd = 0;
    /*
     * Without spread no reading is beyond three deviations; the strict comparison below would
     * reject all of them.
     */
    if (n < 2 || all->min == all->max) {
        for (size_t i = 0; i < n; i++)
            kept[i] = true;
        return;
    }
    if (filter_exactly(p, n, all->min, all->max, kept))
        return;
    (void)gs_moments_mean(all, 1, &mean, NULL);
    (void)gs_moments_ssd(all, 1, &sd, NULL);
    for (size_t i = 0; i < n; i++) {
        struct gs_dd d = gs_dd_sub(gs_dd_of_int(p[i]), gs_dd_of(mean));
        if (d.hi < 0)
            d = gs_dd_neg(d);
        d = gs_dd_sub(d, gs_dd_two_product(3.0, sd));
        kept[i] = d.hi < 0;
    }
}

static enum gs_status sensor_period(const struct gs_log *log, struct gs_power_result *r,
                                    struct gs_err *err)
{
    const int64_t *const p = log->value[GS_LOG_POWER];
    r->n_distinct = log->n > 0;
    r->update_period_ms = (double)NAN;
    GS_OWN struct gs_arena scratch = {0};
    GS_NEW_RAW(int64_t, between, log->n, &scratch, err);
    size_t n = 0;
    int64_t last = GS_MISSING;
    for (size_t i = 1; i < log->n; i++) {
        if (p[i] == p[i - 1])
            continue;
        r->n_distinct++;
        if (log->t_ns == NULL)
            continue;
        if (last != GS_MISSING)
            between[n++] = gs_difference(log->t_ns[i], last);
        last = log->t_ns[i];
    }
    if (n > 0)
        (void)gs_quantiles(between, n, &GS_PROB_MEDIAN, 1, GS_NS_PER_MS, &r->update_period_ms,
                           NULL);
    return GS_OK;
}

static enum gs_status span_and_energy(const struct gs_log *log, const struct gs_power_options *o,
                                      struct gs_power_result *r, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    r->runtime_s = log->n > 0 ? o->runtime_s : (double)NAN;
    r->energy_trapezoid_j = (double)NAN;
    if (log->t_ns == NULL || log->n < 2)
        return GS_OK;
    GS_NEW_RAW(int64_t, room, log->n, &scratch, err);
    const int64_t median = gs_median_step(log->t_ns, log->n, room);
    const int64_t first = log->t_ns[0], last = log->t_ns[log->n - 1];
    if (isnan(r->runtime_s))
        r->runtime_s = gs_ratio((gs_i128)last - first, GS_NS_PER_S);
    r->energy_trapezoid_j = trapezoid_j(log, o->max_gap_ns);
    for (size_t i = 0; i + 1 < log->n; i++) {
        const int64_t step = gs_difference(log->t_ns[i + 1], log->t_ns[i]);
        /* The division comes first so that 3 * median cannot overflow. */
        if (median > 0 && step / 3 >= median && step > 3 * median) {
            r->n_gaps++;
            r->gap_s += (double)step / (double)GS_NS_PER_S;
        }
    }
    return GS_OK;
}

enum gs_status gs_power_evaluate(const struct gs_log *log, const struct gs_power_options *o,
                                 struct gs_arena *arena, struct gs_power_result *result,
                                 struct gs_err *err)
{
    const double nan = (double)NAN;
    const int64_t *const p = log->value[GS_LOG_POWER];
    struct gs_power_result r = {
        .n = log->n, .mean_w = nan, .sd_w = nan, .filtered_mean_w = nan, .filtered_sd_w = nan};
    GS_TAKE(r.kept, log->n, arena, err);
    struct gs_moments all = {0}, kept = {0};
    for (size_t i = 0; i < log->n; i++)
        gs_moments_add(&all, p[i]);
    filter(p, log->n, &all, r.kept);
    for (size_t i = 0; i < log->n; i++)
        if (r.kept[i])
            gs_moments_add(&kept, p[i]);
    r.n_kept = kept.n;
    (void)gs_moments_mean(&all, GS_FIXED_ONE, &r.mean_w, NULL);
    (void)gs_moments_ssd(&all, GS_FIXED_ONE, &r.sd_w, NULL);
    (void)gs_moments_mean(&kept, GS_FIXED_ONE, &r.filtered_mean_w, NULL);
    (void)gs_moments_ssd(&kept, GS_FIXED_ONE, &r.filtered_sd_w, NULL);
    GS_TRY(sensor_period(log, &r, err));
    GS_TRY(span_and_energy(log, o, &r, err));
    /*
     * The study's figure: it leaves out everything beyond 3 sigma, also real load. It is kept to
     * compare with published numbers; the sensor's energy is the one to use.
     */
    r.energy_j = r.filtered_mean_w * r.runtime_s;
    r.energy_sd_j = r.filtered_sd_w * r.runtime_s;
    if (o->error == GS_POWER_ERROR_FULL)
        r.energy_sd_j = hypot(r.energy_sd_j, r.filtered_mean_w * o->runtime_sd_s);
    *result = r;
    return GS_OK;
}
