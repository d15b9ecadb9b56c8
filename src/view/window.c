/* window.c - the window join: all samples inside a pair, and the energy between its ends. */
#include "view/window.h"

#include "view/energy.h"

/* Sums over the samples before some instant. */
struct prefix {
    gs_i128 sum[GS_N_METRICS];
    uint32_t n[GS_N_METRICS], n_samples;
};

/* What is before and what is up to an instant of the host. */
struct cut {
    struct prefix before, upto;
};

static void add_sample(struct prefix *p, const struct gs_gpu_view *g, uint32_t i)
{
    p->n_samples++;
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        const int64_t v = g->value[m][i];
        if (v == GS_MISSING)
            continue;
        p->sum[m] += v;
        p->n[m]++;
    }
}

static void cut_samples(const struct gs_gpu_view *g, const int64_t *t, uint32_t n, struct cut *cut)
{
    struct prefix p = {0};
    uint32_t i = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0 && t[k] == t[k - 1]) {
            cut[k] = cut[k - 1];
            continue;
        }
        while (i < g->n && g->t_ns[i] < t[k])
            add_sample(&p, g, i++);
        cut[k].before = p;
        while (i < g->n && g->t_ns[i] == t[k])
            add_sample(&p, g, i++);
        cut[k].upto = p;
    }
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* num * 2^32 / den to the nearest. |num| is below 2^63 * den, and den at most 2^32. */
static gs_i128 scaled(gs_i128 num, uint64_t den)
{
    const gs_i128 whole = num / den, rest = num % den;
    const gs_i128 part = (rest * ((gs_i128)1 << 33) + (rest < 0 ? -(gs_i128)den : (gs_i128)den)) / (2 * (gs_i128)den);
    return whole * ((gs_i128)1 << 32) + part;
}

/* Adds num / den to a sum of means, over a common denominator as long as that is at most 2^32. */
static void add_mean(struct gs_reading *r, gs_i128 num, uint64_t den)
{
    const uint64_t max = UINT64_C(1) << 32;
    if (r->den == 0) {
        *r = (struct gs_reading){num, den};
        return;
    }
    const uint64_t common = gcd(r->den, den), to_r = den / common, to_new = r->den / common;
    if (to_r <= max / r->den) {
        r->num = r->num * (gs_i128)to_r + num * (gs_i128)to_new;
        r->den *= to_r;
        return;
    }
    r->num = scaled(r->num, r->den) + scaled(num, den);
    r->den = max;
}

/* One pair on one GPU. `n_means` counts, per metric, the GPUs that have a mean. */
static void add_pair(struct gs_joined *j, uint32_t *n_means, const struct gs_pair *p, const struct cut *cut,
                     const struct gs_energy *curve)
{
    if (p->stop_ns < p->start_ns)
        return;
    const struct prefix *const from = &cut[p->start_at].before, *const to = &cut[p->stop_at].upto;
    j->n_samples += to->n_samples - from->n_samples;
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        const uint32_t n = to->n[m] - from->n[m];
        if (n == 0)
            continue;
        add_mean(&j->metric[m], to->sum[m] - from->sum[m], n);
        n_means[m]++;
    }
    const struct gs_energy *const a = &curve[p->start_at], *const b = &curve[p->stop_at];
    if (b->covered_ns == a->covered_ns)
        return;
    j->energy += b->energy - a->energy;
    j->covered_ns += b->covered_ns - a->covered_ns;
    j->has_energy = true;
}

enum gs_status gs_window_join(const struct gs_host_view *host, const struct gs_join_options *o, struct gs_arena *arena,
                              struct gs_joined *joined, struct gs_err *err)
{
    struct cut *const cut = gs_arena_take_raw(arena, host->n_times, sizeof *cut);
    struct gs_energy *const curve = gs_arena_take_raw(arena, host->n_times, sizeof *curve);
    uint32_t(*const n_means)[GS_N_METRICS] = gs_arena_take(arena, host->n_pairs, sizeof *n_means);
    if (cut == NULL || curve == NULL || n_means == NULL)
        return gs_fail_memory(err);
    const enum gs_status s = gs_energy_check(host, err);
    if (s != GS_OK)
        return s;
    for (uint32_t k = 0; k < host->n_gpus; k++) {
        cut_samples(&host->gpu[k], host->time, host->n_times, cut);
        gs_energy_curve(&host->gpu[k], o->max_gap_ns, host->time, host->n_times, curve);
        for (uint32_t p = 0; p < host->n_pairs; p++)
            if (host->pair[p].gpu == GS_NONE || host->pair[p].gpu == k)
                add_pair(&joined[p], n_means[p], &host->pair[p], cut, curve);
    }
    for (uint32_t p = 0; p < host->n_pairs && host->n_gpus > 1; p++)
        for (unsigned m = 0; m < GS_N_METRICS; m++)
            joined[p].metric[m].den *= n_means[p][m]; /* none: 0, missing */
    return GS_OK;
}
