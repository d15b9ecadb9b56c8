/* window.c - the window join: the samples inside a pair. */
#include "analysis/timeline/window.h"

#include "analysis/timeline/counts.h"
#include "base/num/whole.h"

/* Where an instant of the host falls among a GPU's samples: those before it, and those up to it. */
struct cut {
    uint32_t before, upto;
};

/* Sums of a metric over the samples before and up to an instant. */
struct prefix {
    gs_i128 before, upto;
    uint32_t n_before, n_upto;
};

/*
 * Both ends of a window belong to it, so each instant needs two cuts: `before` opens a window,
 * `upto` closes one. A sample exactly at a boundary is in both neighbouring events.
 */
static void cut_samples(const struct gs_gpu_view *g, const int64_t *t, uint32_t n, struct cut *cut)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0 && t[k] == t[k - 1]) {
            cut[k] = cut[k - 1];
            continue;
        }
        while (i < g->n && g->t_ns[i] < t[k])
            i++;
        cut[k].before = i;
        while (i < g->n && g->t_ns[i] == t[k])
            i++;
        cut[k].upto = i;
    }
}

/* A running sum of one metric. */
struct running {
    gs_i128 sum;
    uint32_t n, at; /* readings; samples passed */
};

static void run_to(struct running *r, const int64_t *value, uint32_t end)
{
    for (; r->at < end; r->at++) {
        const int64_t v = value[r->at];
        r->sum += gs_or_zero(v);
        r->n += v != GS_MISSING;
    }
}

/*
 * Prefix sums make every pair cost O(1) however many events overlap. They are exact 128-bit
 * integers, so a difference of two has no rounding error.
 */
static void sum_metric(const int64_t *value, const struct cut *cut, uint32_t n,
                       struct prefix *prefix)
{
    struct running r = {0};
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0 && cut[k].before == cut[k - 1].before && cut[k].upto == cut[k - 1].upto) {
            prefix[k] = prefix[k - 1];
            continue;
        }
        run_to(&r, value, cut[k].before);
        prefix[k].before = r.sum;
        prefix[k].n_before = r.n;
        run_to(&r, value, cut[k].upto);
        prefix[k].upto = r.sum;
        prefix[k].n_upto = r.n;
    }
}

/* num * 2^32 / den to the nearest. |num| is below 2^63 * den, and den at most 2^32. */
static gs_i128 scaled(gs_i128 num, uint64_t den)
{
    const gs_i128 whole = num / den, rest = num % den;
    return whole * ((gs_i128)1 << 32) + gs_div_nearest(rest * ((gs_i128)1 << 32), den);
}

/* Adds num / den to a sum of means, over a common denominator as long as that is at most 2^32. */
static void add_mean(struct gs_reading *r, gs_i128 num, uint64_t den)
{
    const uint64_t max = UINT64_C(1) << 32;
    if (r->den == 0) {
        *r = (struct gs_reading){num, den};
        return;
    }
    /*
     * Each GPU counts as one mean however often it was sampled. The common denominator keeps the
     * sum of means exact; past 2^32 both are rounded to 2^-32, so the numerator fits 128 bits.
     * GPUs come in a fixed order, so that rounding is the same every time.
     */
    const uint64_t common = gs_gcd(r->den, den), to_r = den / common, to_new = r->den / common;
    if (to_r <= max / r->den) {
        r->num = r->num * (gs_i128)to_r + num * (gs_i128)to_new;
        r->den *= to_r;
        return;
    }
    r->num = scaled(r->num, r->den) + scaled(num, den);
    r->den = max;
}

/* One metric of one GPU, for all pairs. */
static void add_metric(const struct gs_host_view *host, uint32_t gpu, unsigned m,
                       const struct prefix *prefix, uint32_t *n_means, struct gs_joined *joined)
{
    for (uint32_t p = 0; p < host->n_pairs; p++) {
        const struct gs_pair *const pair = &host->pair[p];
        if (!gs_pair_uses(host, pair, gpu))
            continue;
        const struct prefix *const from = &prefix[pair->start_at];
        const struct prefix *const to = &prefix[pair->stop_at];
        const uint32_t n = to->n_upto - from->n_before;
        if (n == 0)
            continue;
        add_mean(&joined[p].metric[m], to->upto - from->before, n);
        n_means[(size_t)p * host->n_metrics + m]++;
    }
}

enum gs_status gs_window_add(const struct gs_host_view *host, uint32_t k,
                             const struct gs_gpu_view *g, struct gs_arena *scratch,
                             uint32_t *n_means, struct gs_joined *joined, struct gs_err *err)
{
    GS_NEW_RAW(struct cut, cut, host->n_times, scratch, err);
    GS_NEW_RAW(struct prefix, prefix, host->n_times, scratch, err);
    cut_samples(g, host->time, host->n_times, cut);
    for (uint32_t p = 0; p < host->n_pairs; p++)
        if (gs_pair_uses(host, &host->pair[p], k))
            joined[p].n_samples +=
                cut[host->pair[p].stop_at].upto - cut[host->pair[p].start_at].before;
    for (unsigned m = 0; m < host->n_metrics && g->n > 0; m++) {
        sum_metric(g->value[m], cut, host->n_times, prefix);
        add_metric(host, k, m, prefix, n_means, joined);
    }
    return GS_OK;
}

void gs_window_end(const struct gs_host_view *host, const uint32_t *n_means,
                   struct gs_joined *joined)
{
    for (uint32_t p = 0; p < host->n_pairs && host->n_gpus > 1; p++)
        for (unsigned m = 0; m < host->n_metrics; m++)
            /*
             * The sum of means becomes their mean. No mean makes the denominator 0, which readers
             * treat as missing.
             */
            /* none: 0, missing */
            joined[p].metric[m].den *= n_means[(size_t)p * host->n_metrics + m];
}
