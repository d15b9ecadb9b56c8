/* counter.c - energy counters: resets taken out, looked at between instants. */
#include "analysis/timeline/counter.h"

#include <math.h>

#include "base/num/dd.h"
#include "analysis/timeline/counts.h"

/* A walk over the readings that are there, one at each instant. */
struct walk {
    const struct gs_power_series *series;
    size_t next;
    int64_t t_ns, value, before; /* before: GS_MISSING for the first */
};

static bool step(struct walk *w)
{
    const int64_t *const t = w->series->t_ns, *const v = w->series->power;
    while (w->next < w->series->n && v[w->next] == GS_MISSING)
        w->next++;
    if (w->next == w->series->n)
        return false;
    w->before = w->value;
    w->t_ns = t[w->next];
    w->value = v[w->next];
    for (w->next++; w->next < w->series->n && t[w->next] == w->t_ns; w->next++)
        if (v[w->next] != GS_MISSING && v[w->next] > w->value)
            w->value = v[w->next];
    return true;
}

uint64_t gs_counter_resets(const struct gs_power_series *series)
{
    uint64_t n = 0;
    for (struct walk w = {.series = series, .value = GS_MISSING}; step(&w);)
        n += w.before != GS_MISSING && w.value < w.before;
    return n;
}

enum gs_status gs_counter_read(const struct gs_power_series *series, struct gs_arena *arena,
                               struct gs_counter *counter, struct gs_err *err)
{
    int64_t *const t = gs_arena_take_raw(arena, series->n, sizeof *t);
    gs_i128 *const used = gs_arena_take_raw(arena, series->n, sizeof *used);
    if (t == NULL || used == NULL)
        return gs_fail_memory(err);
    struct gs_counter c = {.t_ns = t, .used = used};
    for (struct walk w = {.series = series, .value = GS_MISSING}; step(&w); c.n++) {
        const bool first = w.before == GS_MISSING, fell = !first && w.value < w.before;
        t[c.n] = w.t_ns;
        used[c.n] = first ? 0 : used[c.n - 1] + w.value - (fell ? 0 : (gs_i128)w.before);
        c.n_resets += fell;
    }
    *counter = c;
    return GS_OK;
}

/* num x part / whole to the nearest, part at most whole. */
static gs_i128 share_of(gs_i128 num, uint64_t part, uint64_t whole)
{
    const gs_u128 size = (gs_u128)(num < 0 ? -num : num), rest = size % whole * part;
    const gs_u128 v = size / whole * part + rest / whole + (2 * (rest % whole) >= whole);
    return num < 0 ? -(gs_i128)v : (gs_i128)v;
}

static bool used_until(const struct gs_counter *c, int64_t t_ns, int64_t max_gap_ns, gs_i128 *used)
{
    if (c->n == 0 || t_ns < c->t_ns[0] || t_ns > c->t_ns[c->n - 1])
        return false;
    size_t lo = 0, hi = c->n - 1; /* t[lo] <= t_ns <= t[hi] */
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        *(c->t_ns[mid] <= t_ns ? &lo : &hi) = mid;
    }
    if (t_ns == c->t_ns[lo] || t_ns == c->t_ns[hi]) {
        *used = c->used[t_ns == c->t_ns[lo] ? lo : hi];
        return true;
    }
    const uint64_t width = (uint64_t)c->t_ns[hi] - (uint64_t)c->t_ns[lo];
    if (max_gap_ns >= 0 && width > (uint64_t)max_gap_ns)
        return false;
    *used = c->used[lo] +
            share_of(c->used[hi] - c->used[lo], (uint64_t)t_ns - (uint64_t)c->t_ns[lo], width);
    return true;
}

bool gs_counter_between(const struct gs_counter *c, int64_t from_ns, int64_t to_ns,
                        int64_t max_gap_ns, gs_i128 *used)
{
    gs_i128 from, to;
    if (!used_until(c, from_ns, max_gap_ns, &from) || !used_until(c, to_ns, max_gap_ns, &to))
        return false;
    *used = to - from;
    return true;
}

enum gs_status gs_pair_counters_add(const struct gs_host_view *h, uint32_t k,
                                    const struct gs_gpu_view *g, const struct gs_join_options *o,
                                    struct gs_arena *scratch, struct gs_pair_counted *counted,
                                    struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_power_series series = {g->n, g->t_ns, g->value[h->counter]};
    struct gs_counter counter;
    const enum gs_status s = gs_counter_read(&series, scratch, &counter, err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        gs_i128 one;
        if (!gs_pair_uses(h, pair, k))
            continue;
        if (gs_counter_between(&counter, pair->start_ns, pair->stop_ns, o->max_gap_ns, &one))
            counted[p].used += one;
        else
            counted[p].left_out = true;
    }
    gs_arena_rewind(scratch, mark);
    return s;
}

void gs_pair_counters_end(const struct gs_host_view *h, const struct gs_pair_counted *counted,
                          struct gs_joined *joined)
{
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const struct gs_joined *const j = &joined[p];
        uint32_t first;
        const uint32_t n_used = gs_pair_n_used(h, pair, &first);
        if (counted[p].left_out || n_used == 0)
            continue;
        const gs_i128 window_ns = (gs_i128)gs_pair_ns(pair) * n_used;
        gs_counted_add(&joined[p].counted, counted[p].used, j->used.energy,
                       j->used.n_refused == 0 ? j->used.covered_ns : 0, window_ns);
    }
}

void gs_counted_add(struct gs_counted *sum, gs_i128 used, gs_i128 energy, gs_i128 covered_ns,
                    gs_i128 window_ns)
{
    sum->n++;
    sum->used += used;
    if (covered_ns <= 0 || 100 * covered_ns < 99 * window_ns)
        return;
    sum->n_beside++;
    sum->used_beside += used;
    sum->energy_beside += energy;
}

void gs_counted_merge(struct gs_counted *sum, const struct gs_counted *other)
{
    sum->n += other->n;
    sum->n_beside += other->n_beside;
    sum->used += other->used;
    sum->used_beside += other->used_beside;
    sum->energy_beside += other->energy_beside;
}

double gs_counted_j(const struct gs_counted *sum)
{
    return sum->n == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(sum->used, GS_FIXED_ONE));
}

double gs_counted_difference_pct(const struct gs_counted *sum)
{
    if (sum->n_beside == 0 || sum->energy_beside <= 0)
        return (double)NAN;
    const struct gs_dd energy = gs_dd_ratio(sum->energy_beside, GS_ENERGY_PER_J);
    const struct gs_dd more = gs_dd_sub(gs_dd_ratio(sum->used_beside, GS_FIXED_ONE), energy);
    return 100.0 * gs_dd_to_double(gs_dd_div(more, energy));
}
