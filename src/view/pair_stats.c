/* pair_stats.c - accumulators over pairs. */
#include "view/pair_stats.h"

#include <string.h>

enum { BLOCK_DURATIONS = 1020 };

struct gs_duration_block {
    struct gs_duration_block *older;
    uint32_t n;
    int64_t duration_ns[BLOCK_DURATIONS];
};

/* Instants can lie so far apart that their distance does not fit: such data are held at the limit. */
static int64_t duration_of(const struct gs_pair *p)
{
    int64_t v;
    if (__builtin_sub_overflow(p->stop_ns, p->start_ns, &v))
        return p->stop_ns > p->start_ns ? INT64_MAX : INT64_MIN + 1;
    return v;
}

enum gs_status gs_pair_stats_add(struct gs_pair_stats *s, const struct gs_pair *pair, const struct gs_joined *joined,
                                 uint32_t n_gpus, struct gs_arena *arena, struct gs_err *err)
{
    const int64_t duration = duration_of(pair);
    if (s->block == NULL || s->block->n == BLOCK_DURATIONS) {
        struct gs_duration_block *const b = gs_arena_take_raw(arena, 1, sizeof *b);
        if (b == NULL)
            return gs_fail_memory(err);
        b->older = s->block;
        b->n = 0;
        s->block = b;
    }
    s->block->duration_ns[s->block->n++] = duration;
    gs_moments_add(&s->duration, duration);
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        const struct gs_reading *const r = &joined->metric[m];
        if (r->den == 0) {
            gs_ratio_add_missing(&s->metric[m]);
            continue;
        }
        const enum gs_status status = gs_ratio_add(&s->metric[m], r->num, r->den, arena, err);
        if (status != GS_OK)
            return status;
    }
    s->n_samples += joined->n_samples;
    s->n_energy += joined->has_energy;
    s->energy += joined->energy;
    s->covered_ns += joined->covered_ns;
    /* On a host without samples an event is as little covered as one GPU's would be. */
    s->window_ns += duration > 0 ? (gs_i128)duration * (pair->gpu == GS_NONE && n_gpus > 0 ? n_gpus : 1) : 0;
    return GS_OK;
}

enum gs_status gs_pair_stats_merge(struct gs_pair_stats *s, struct gs_pair_stats *other, struct gs_arena *arena,
                                   struct gs_err *err)
{
    gs_moments_merge(&s->duration, &other->duration);
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        const enum gs_status status = gs_ratio_merge(&s->metric[m], &other->metric[m], arena, err);
        if (status != GS_OK)
            return status;
    }
    struct gs_duration_block **oldest = &other->block;
    while (*oldest != NULL)
        oldest = &(*oldest)->older;
    *oldest = s->block; /* both lists, other's blocks first: no order is promised */
    s->block = other->block;
    s->n_samples += other->n_samples;
    s->n_energy += other->n_energy;
    s->energy += other->energy;
    s->covered_ns += other->covered_ns;
    s->window_ns += other->window_ns;
    return GS_OK;
}

enum gs_status gs_pair_stats_durations(const struct gs_pair_stats *s, struct gs_arena *arena, int64_t **duration,
                                       struct gs_err *err)
{
    int64_t *const all = gs_arena_take_raw(arena, s->duration.n, sizeof *all);
    if (all == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    for (const struct gs_duration_block *b = s->block; b != NULL; b = b->older) {
        memcpy(all + n, b->duration_ns, b->n * sizeof *all);
        n += b->n;
    }
    *duration = all;
    return GS_OK;
}
