/* quantile.c - type-7 quantiles: the place in the order is an exact fraction, so is the interpolation. */
#include "stats/descriptive/quantile.h"

#include <assert.h>
#include <math.h>

#include "base/num/dd.h"
#include "base/num/decimal.h"
#include "base/num/order.h"
#include "base/num/whole.h"
#include "stats/descriptive/rank.h"

enum { PROB_DEN_MAX = 1000000 };

/* The two neighbours of a quantile and how far it stands between them: low + (high - low) * part / den. */
struct place {
    int64_t low, high;
    uint32_t part, den;
};

static size_t drop_missing(int64_t *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != GS_MISSING)
            x[kept++] = x[i];
    }
    return kept;
}

static int64_t least(const int64_t *x, size_t n)
{
    int64_t m = x[0];
    for (size_t i = 1; i < n; i++)
        m = gs_min(x[i], m);
    return m;
}

/*
 * Needs that x[from..n) holds the values of those places in the order of all. The place is
 * computed in 128-bit integers: (n - 1) * p as a double would miss whole places for large n and
 * interpolate where it must not.
 */
static struct place locate(int64_t *x, size_t from, size_t n, size_t k, struct gs_prob p)
{
    struct place at = {.den = p.den, .part = (uint32_t)((gs_u128)(n - 1) * p.num % p.den)};
    gs_select(x + from, n - from, k - from);
    at.low = at.high = x[k];
    if (at.part != 0)
        at.high = least(x + k + 1, n - k - 1);
    return at;
}

static size_t index_of(size_t n, struct gs_prob p)
{
    assert(p.den > 0 && p.den <= PROB_DEN_MAX && p.num <= p.den);
    return (size_t)((gs_u128)(n - 1) * p.num / p.den);
}

/*
 * Calls `store` for every probability. They are taken by ascending place, each selection leaving the greater
 * values behind it for the next.
 */
static void locate_all(int64_t *x, size_t n, const struct gs_prob *p, size_t n_p,
                       void (*store)(const struct place *, int64_t scale, double *out),
                       int64_t scale, double *out)
{
    size_t from = 0;
    bool first = true;
    for (size_t done = 0; done < n_p;) {
        size_t next = n;
        for (size_t i = 0; i < n_p; i++) {
            const size_t k = index_of(n, p[i]);
            if ((first || k > from) && k < next)
                next = k;
        }
        for (size_t i = 0; i < n_p; i++) {
            if (index_of(n, p[i]) != next)
                continue;
            const struct place at = locate(x, first ? 0 : from, n, next, p[i]);
            store(&at, scale, &out[i]);
            done++;
        }
        from = next;
        first = false;
    }
}

static void store_int(const struct place *at, int64_t scale, double *out)
{
    const gs_i128 num = (gs_i128)at->low * (at->den - at->part) + (gs_i128)at->high * at->part;
    *out = gs_ratio(num, (gs_i128)at->den * scale);
}

static void store_real(const struct place *at, int64_t scale, double *out)
{
    (void)scale;
    const struct gs_dd w = gs_dd_ratio(at->part, at->den);
    const struct gs_dd low = gs_dd_of(gs_real_of_key(at->low)),
                       high = gs_dd_of(gs_real_of_key(at->high));
    /* No interpolation: 0 times an infinite value would be NaN. */
    if (at->part == 0)
        *out = low.hi;
    else
        *out = gs_dd_to_double(
            gs_dd_add(gs_dd_mul(low, gs_dd_sub(gs_dd_of(1.0), w)), gs_dd_mul(high, w)));
}

enum gs_status gs_quantiles(int64_t *x, size_t n, const struct gs_prob *p, size_t n_p,
                            int64_t scale, double *out, struct gs_err *err)
{
    assert(scale > 0);
    n = drop_missing(x, n);
    if (n == 0)
        return gs_fail(err, GS_ERR_RANGE, "quantile undefined: no values");
    locate_all(x, n, p, n_p, store_int, scale, out);
    return GS_OK;
}

int64_t gs_median(int64_t *x, size_t n)
{
    double median = 0.0;
    if (n > 0)
        locate_all(x, n, &GS_PROB_MEDIAN, 1, store_int, 1, &median);
    return median < 9e18 ? (int64_t)median : INT64_MAX;
}

int64_t gs_median_step(const int64_t *t, size_t n, int64_t *room)
{
    size_t n_steps = 0;
    for (size_t i = 1; i < n; i++) {
        room[n_steps] = gs_difference(t[i], t[i - 1]);
        n_steps += t[i] != t[i - 1];
    }
    return gs_median(room, n_steps);
}

/* The keys of what is not NaN, in scratch. */
static int64_t *keys_of(const double *x, size_t n, struct gs_arena *scratch, size_t *n_keys)
{
    int64_t *const key = gs_arena_take_raw(scratch, n, sizeof *key);
    *n_keys = 0;
    for (size_t i = 0; key != NULL && i < n; i++) {
        if (!isnan(x[i]))
            key[(*n_keys)++] = gs_real_key(x[i]);
    }
    return key;
}

enum gs_status gs_real_quantiles(const double *x, size_t n, const struct gs_prob *p, size_t n_p,
                                 struct gs_arena *scratch, double *out, struct gs_err *err)
{
    GS_REWINDS(scratch);
    enum gs_status s = GS_OK;
    size_t n_keys;
    int64_t *const key = keys_of(x, n, scratch, &n_keys);
    if (key == NULL)
        s = gs_fail_memory(err);
    else if (n_keys == 0)
        s = gs_fail(err, GS_ERR_RANGE, "quantile undefined: no values");
    else
        locate_all(key, n_keys, p, n_p, store_real, 1, out);
    return s;
}

/* A distance of up to 2^64 - 1 as an int64 in the same order, and back. */
static int64_t biased(uint64_t d)
{
    return (int64_t)(d ^ (UINT64_C(1) << 63));
}

static uint64_t unbiased(int64_t key)
{
    return (uint64_t)key ^ (UINT64_C(1) << 63);
}

enum gs_status gs_mad(int64_t *x, size_t n, int64_t scale, double *median, double *mad,
                      struct gs_err *err)
{
    assert(scale > 0);
    n = drop_missing(x, n);
    if (n == 0)
        return gs_fail(err, GS_ERR_RANGE, "median absolute deviation undefined: no values");

    const struct place m = locate(x, 0, n, (n - 1) / 2, GS_PROB_MEDIAN);
    const gs_i128 twice = (gs_i128)m.low + m.high;
    /*
     * The median may lie on a half. Then every distance is a whole number and a half; the whole part is kept
     * and the half is put back at the end, so that nothing is rounded.
     */
    const gs_i128 below = twice >> 1, above = twice - below;
    for (size_t i = 0; i < n; i++)
        x[i] = biased((uint64_t)(x[i] <= below ? below - x[i] : x[i] - above));
    const struct place d = locate(x, 0, n, (n - 1) / 2, GS_PROB_MEDIAN);
    const gs_i128 twice_mad = (gs_i128)unbiased(d.low) + unbiased(d.high) + (above - below);

    *median = gs_ratio(twice, (gs_i128)2 * scale);
    *mad = gs_ratio(twice_mad, (gs_i128)2 * scale);
    return GS_OK;
}

enum gs_status gs_real_mad(const double *x, size_t n, struct gs_arena *scratch, double *median,
                           double *mad, struct gs_err *err)
{
    GS_REWINDS(scratch);
    size_t n_keys;
    int64_t *const key = keys_of(x, n, scratch, &n_keys);
    if (key == NULL)
        return gs_fail_memory(err);
    else if (n_keys == 0)
        return gs_fail(err, GS_ERR_RANGE, "median absolute deviation undefined: no values");
    else {
        double middle, spread;
        locate_all(key, n_keys, &GS_PROB_MEDIAN, 1, store_real, 1, &middle);
        for (size_t i = 0; i < n_keys; i++)
            key[i] = gs_real_key(fabs(gs_real_of_key(key[i]) - middle));
        locate_all(key, n_keys, &GS_PROB_MEDIAN, 1, store_real, 1, &spread);
        *median = middle;
        *mad = spread;
    }
    return GS_OK;
}
