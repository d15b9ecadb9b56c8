/* join.c - as-of joins by merging, and what a pair draws from them. */
#include "view/join.h"

#include "view/counter.h"
#include "view/counts.h"
#include "view/pair_energy.h"
#include "view/window.h"

/* First index of the run of equal instants that ends at `i`. */
static uint32_t run_start(const int64_t *t, uint32_t i)
{
    while (i > 0 && t[i - 1] == t[i])
        i--;
    return i;
}

/* Distances of int64 instants do not fit int64. */
static uint64_t distance(int64_t from, int64_t to)
{
    return (uint64_t)to - (uint64_t)from;
}

static uint64_t apart(int64_t a, int64_t b)
{
    return a < b ? distance(a, b) : distance(b, a);
}

/* The instants around t: `before` is the last sample at or before t, `after` the first at or after it. */
static uint32_t choose(const struct gs_gpu_view *g, int64_t t, uint32_t before, uint32_t after,
                       const struct gs_join_options *o)
{
    uint32_t chosen;
    if (o->join == GS_JOIN_BACKWARD)
        chosen = before;
    else if (o->join == GS_JOIN_FORWARD)
        chosen = after;
    else if (before == GS_NONE || after == GS_NONE)
        chosen = before == GS_NONE ? after : before;
    else {
        const uint64_t back = distance(g->t_ns[before], t), ahead = distance(t, g->t_ns[after]);
        chosen = back < ahead || (back == ahead && !o->ties_later) ? before : after;
    }
    if (chosen == GS_NONE)
        return GS_NONE;
    if (o->tolerance_ns >= 0 && apart(g->t_ns[chosen], t) > (uint64_t)o->tolerance_ns)
        return GS_NONE;
    return run_start(g->t_ns, chosen);
}

/*
 * For each instant t[0..n), ascending, the sample that an as-of join takes, or GS_NONE. Of several samples
 * at the chosen instant it is the first in the view's order: see gs_reading_at.
 * Cost: O(n + samples), a merge.
 */
static void asof(const struct gs_gpu_view *g, const int64_t *t, uint32_t n, const struct gs_join_options *o,
                 uint32_t *sample)
{
    uint32_t next = 0; /* first sample after t[i] */
    for (uint32_t i = 0; i < n; i++) {
        while (next < g->n && g->t_ns[next] <= t[i])
            next++;
        const uint32_t before = next > 0 ? next - 1 : GS_NONE;
        const bool exact = before != GS_NONE && g->t_ns[before] == t[i];
        const uint32_t after = exact ? before : next < g->n ? next : GS_NONE;
        sample[i] = choose(g, t[i], before, after, o);
    }
}

/* Adds the mean of two values to the sum of one metric; `den` counts halves of GPUs. */
static void add_ends(struct gs_reading *r, const struct gs_gpu_view *g, unsigned metric, uint32_t a, uint32_t b)
{
    const int64_t x = gs_reading_at(g, metric, a), y = gs_reading_at(g, metric, b);
    if (x == GS_MISSING || y == GS_MISSING)
        return;
    r->num += (gs_i128)x + y;
    r->den += 2;
}

/* A sample from further away tells little of an instant; any distance where the interval is not known. */
static uint64_t far_of(const struct gs_gpu_view *g)
{
    return g->interval_ns <= 0 ? UINT64_MAX : 3 * (uint64_t)g->interval_ns;
}

static enum gs_status join_ends(const struct gs_host_view *h, const struct gs_join_options *o, struct gs_arena *arena,
                                struct gs_joined *joined, struct gs_err *err)
{
    uint32_t *const sample = gs_arena_take_raw(arena, h->n_times, sizeof *sample);
    if (sample == NULL)
        return gs_fail_memory(err);
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        const uint64_t far = far_of(&h->gpu[g]);
        asof(&h->gpu[g], h->time, h->n_times, o, sample);
        for (uint32_t p = 0; p < h->n_pairs; p++) {
            const struct gs_pair *const pair = &h->pair[p];
            const uint32_t a = sample[pair->start_at], b = sample[pair->stop_at];
            if (!gs_pair_uses(pair, g) || a == GS_NONE || b == GS_NONE)
                continue;
            joined[p].is_stale |=
                apart(h->gpu[g].t_ns[a], pair->start_ns) > far || apart(h->gpu[g].t_ns[b], pair->stop_ns) > far;
            for (unsigned m = 0; m < h->n_metrics; m++)
                add_ends(&joined[p].metric[m], &h->gpu[g], m, a, b);
        }
    }
    return GS_OK;
}

enum gs_status gs_join_host(const struct gs_host_view *h, const struct gs_join_options *o, struct gs_arena *arena,
                            struct gs_joined **joined, struct gs_err *err)
{
    struct gs_joined *const j = gs_arena_take(arena, h->n_pairs, sizeof *j);
    struct gs_reading *const metric = gs_arena_take(arena, (size_t)h->n_pairs * h->n_metrics, sizeof *metric);
    if (j == NULL || metric == NULL)
        return gs_fail_memory(err);
    for (uint32_t p = 0; p < h->n_pairs; p++)
        j[p].metric = metric + (size_t)p * h->n_metrics;
    enum gs_status s = o->join == GS_JOIN_WINDOW ? gs_window_join(h, arena, j, err) : join_ends(h, o, arena, j, err);
    if (s == GS_OK)
        s = gs_pair_energies(h, o, arena, j, err);
    if (s == GS_OK && h->counter != 0)
        s = gs_pair_counters(h, o, arena, j, err);
    if (s == GS_OK)
        *joined = j;
    return s;
}
