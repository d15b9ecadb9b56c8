/* join.c - as-of joins by merging, and what a pair draws from them. */
#include "analysis/timeline/join.h"

#include "analysis/energy/counter.h"
#include "analysis/timeline/counts.h"
#include "analysis/energy/pair_energy.h"
#include "analysis/timeline/window.h"
#include "base/num/whole.h"

/* First index of the run of equal instants that ends at `i`. */
static uint32_t run_start(const int64_t *t, uint32_t i)
{
    while (i > 0 && t[i - 1] == t[i])
        i--;
    return i;
}

/*
 * The instants around t: `before` is the last sample at or before t, `after` the first at or after
 * it. Of a tie in distance the earlier sample wins unless ties_later: a fixed rule, because
 * "nearest" alone would leave the result to the direction of the scan. The tolerance includes its
 * limit; a negative one is none.
 */
static uint32_t choose(const struct gs_gpu_view *g, int64_t t, uint32_t before, uint32_t after,
                       const struct gs_join_options *o)
{
    uint32_t chosen;
    if (o->join == GS_JOIN_BACKWARD)
        chosen = before;
    else if (o->join == GS_JOIN_FORWARD)
        chosen = after;
    else if (before == GS_NONE || after == GS_NONE)
        chosen = gs_min(before, after); /* the one that is there */
    else {
        const uint64_t back = gs_span(g->t_ns[before], t), ahead = gs_span(t, g->t_ns[after]);
        chosen = after;
        if (back < ahead || (back == ahead && !o->ties_later))
            chosen = before;
    }
    if (chosen == GS_NONE)
        return GS_NONE;
    if (o->tolerance_ns >= 0 && gs_distance(g->t_ns[chosen], t) > (uint64_t)o->tolerance_ns)
        return GS_NONE;
    return run_start(g->t_ns, chosen);
}

/*
 * For each instant t[0..n), ascending, the sample that an as-of join takes, or GS_NONE. Of several samples
 * at the chosen instant it is the first in the view's order: see gs_reading_at.
 * Cost: O(n + samples), a merge.
 */
static void asof(const struct gs_gpu_view *g, const int64_t *t, uint32_t n,
                 const struct gs_join_options *o, uint32_t *sample)
{
    uint32_t next = 0; /* first sample after t[i] */
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && t[i] == t[i - 1]) {
            sample[i] = sample[i - 1];
            continue;
        }
        while (next < g->n && g->t_ns[next] <= t[i])
            next++;
        const uint32_t before = next > 0 ? next - 1 : GS_NONE;
        const bool exact = before != GS_NONE && g->t_ns[before] == t[i];
        uint32_t after = GS_NONE;
        if (exact)
            after = before;
        else if (next < g->n)
            after = next;
        sample[i] = choose(g, t[i], before, after, o);
    }
}

/* Is a sample, the first of its instant, the only one there? */
static bool is_alone(const struct gs_gpu_view *g, uint32_t i)
{
    return i + 1 >= g->n || g->t_ns[i + 1] != g->t_ns[i];
}

/* Adds the means of two samples to the sums of a pair's metrics; `den` counts halves of GPUs. */
static void add_ends(struct gs_reading *r, const struct gs_gpu_view *g, unsigned n_metrics,
                     uint32_t a, uint32_t b)
{
    const bool alone = is_alone(g, a) && is_alone(g, b); /* nearly all */
    for (unsigned m = 0; m < n_metrics; m++, r++) {
        int64_t x = g->value[m][a], y = g->value[m][b];
        if (!alone) {
            x = gs_reading_at(g, m, a);
            y = gs_reading_at(g, m, b);
        }
        /*
         * A metric counts only where both ends have it. Half of a pair would give the event's
         * start or its end alone, not its mean.
         */
        if (x == GS_MISSING || y == GS_MISSING)
            continue;
        r->num += (gs_i128)x + y;
        r->den += 2;
    }
}

/* A sample from further away tells little of an instant; any distance where the interval is not known. */
static uint64_t far_of(const struct gs_gpu_view *g)
{
    return g->interval_ns <= 0 ? UINT64_MAX : 3 * (uint64_t)g->interval_ns;
}

static enum gs_status add_ends_of(const struct gs_host_view *h, uint32_t k,
                                  const struct gs_gpu_view *g, const struct gs_join_options *o,
                                  struct gs_arena *scratch, struct gs_joined *joined,
                                  struct gs_err *err)
{
    GS_NEW_RAW(uint32_t, sample, h->n_times, scratch, err);
    const uint64_t far = far_of(g);
    asof(g, h->time, h->n_times, o, sample);
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const uint32_t a = sample[pair->start_at], b = sample[pair->stop_at];
        if (!gs_pair_uses(h, pair, k) || a == GS_NONE || b == GS_NONE)
            continue;
        /*
         * Stale joins are kept and marked, not left out: the caller warns that readings are from
         * far away. One GPU of several is enough to mark the pair.
         */
        joined[p].is_stale |= gs_distance(g->t_ns[a], pair->start_ns) > far ||
                              gs_distance(g->t_ns[b], pair->stop_ns) > far;
        add_ends(joined[p].metric, g, h->n_metrics, a, b);
    }
    return GS_OK;
}

struct gs_energy_sum gs_joined_alone(const struct gs_host_view *h, const struct gs_joined *j)
{
    struct gs_energy_sum used = j->used;
    if (j->use == NULL)
        gs_energy_sum_end_gpu(&used);
    for (uint32_t g = 0; j->use != NULL && g < h->n_gpus; g++)
        used.own_uj2 += gs_energy_own_uj2(j->use[g].energy, j->use[g].time_ns);
    return used;
}

/* The pairs of a host while its GPUs come one after the other. */
struct joining {
    const struct gs_host_view *host;
    const struct gs_join_options *o;
    struct gs_arena *arena;
    struct gs_joined *joined;
    uint32_t *n_means;               /* [n_pairs][n_metrics] see gs_window_add */
    struct gs_pair_counted *counted; /* [n_pairs]                              */
    gs_u128 energy_most;             /* see gs_energy_check_gpu                */
};

static enum gs_status add_gpu(struct joining *j, uint32_t k, struct gs_err *err)
{
    const struct gs_gpu_view *g;
    struct gs_gpu_view room;
    GS_TRY(gs_host_gpu(j->host, k, &room, &g, j->arena, err));
    if (j->o->join == GS_JOIN_WINDOW)
        GS_TRY(gs_window_add(j->host, k, g, j->arena, j->n_means, j->joined, err));
    else if (j->o->join != GS_JOIN_ENERGY)
        GS_TRY(add_ends_of(j->host, k, g, j->o, j->arena, j->joined, err));
    GS_TRY(gs_energy_check_gpu(g, &j->energy_most, err));
    GS_TRY(gs_pair_energies_add(j->host, k, g, j->o, j->arena, j->joined, err));
    if (j->host->counter != 0)
        GS_TRY(gs_pair_counters_add(j->host, k, g, j->o, j->arena, j->counted, err));
    return GS_OK;
}

/* Room for what outlives a GPU. */
static enum gs_status collect_room(struct joining *j, struct gs_err *err)
{
    const struct gs_host_view *const h = j->host;
    const size_t n_readings = (size_t)h->n_pairs * h->n_metrics;
    struct gs_reading *metric;
    GS_TAKE_RAW(metric, n_readings, j->arena, err);
    GS_TAKE_RAW(j->joined, h->n_pairs, j->arena, err);
    if (j->o->join == GS_JOIN_WINDOW)
        GS_TAKE(j->n_means, n_readings, j->arena, err);
    if (h->counter != 0)
        GS_TAKE(j->counted, h->n_pairs, j->arena, err);
    for (uint32_t p = 0; p < h->n_pairs; p++, metric += h->n_metrics) {
        for (uint32_t m = 0; m < h->n_metrics; m++)
            metric[m] = (struct gs_reading){0};
        j->joined[p] = (struct gs_joined){.metric = metric};
    }
    return gs_pair_energies_room(h, j->arena, j->joined, err);
}

/*
 * GPUs are the outer loop so that one GPU's samples are in memory at a time. What outlives a GPU
 * (sums per pair) is taken from the arena before the first mark.
 */
enum gs_status gs_join_host(const struct gs_host_view *h, const struct gs_join_options *o,
                            struct gs_arena *arena, struct gs_joined **joined, struct gs_err *err)
{
    struct joining j = {.host = h, .o = o, .arena = arena};
    GS_TRY(collect_room(&j, err));
    for (uint32_t k = 0; k < h->n_gpus; k++) {
        GS_REWINDS(arena);
        GS_TRY(add_gpu(&j, k, err));
    }
    if (j.n_means != NULL)
        gs_window_end(h, j.n_means, j.joined);
    if (j.counted != NULL)
        gs_pair_counters_end(h, j.counted, j.joined);
    *joined = j.joined;
    return GS_OK;
}
